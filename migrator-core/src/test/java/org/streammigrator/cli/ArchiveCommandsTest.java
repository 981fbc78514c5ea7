package org.streammigrator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveCommandsTest {
  @TempDir private Path directory;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void begin() throws IOException {
    Files.createDirectories(directory.resolve("chk/offsets"));
    Files.writeString(directory.resolve("chk/metadata"), "{\"id\":\"q\"}");
    Files.writeString(directory.resolve("chk/offsets/0"), "torn");
  }

  private int run(String... args) {
    out.reset();
    err.reset();
    return Cli.run(
        List.of(args),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        CliContext.ofProcess().withDirectory(directory));
  }

  private JsonNode json(int code, String... args) throws IOException {
    assertThat(run(args)).as(err.toString(UTF_8)).isEqualTo(code);
    return new JsonMapper().readTree(out.toString(UTF_8));
  }

  private void fails(int code, String message, String... args) {
    assertThat(run(args)).isEqualTo(code);
    assertThat(out.toString(UTF_8)).isEmpty();
    assertThat(err.toString(UTF_8)).startsWith("migrator: ").contains(message);
    assertThat(err.toString(UTF_8)).doesNotContain("\tat ");
  }

  private String archive() throws IOException {
    return json(0, "archive", "chk", "--to", "archives", "-o", "json").get("archive").asText();
  }

  private static List<String> names(JsonNode node) {
    List<String> names = new ArrayList<>();
    node.fieldNames().forEachRemaining(names::add);
    return names;
  }

  @Test
  void archivesVerifiesAndRestores() throws IOException {
    JsonNode archived = json(0, "archive", "chk/", "--to", "archives", "-o", "json");
    assertThat(names(archived))
        .containsExactly("schema", "archive", "files", "bytes", "sha256", "existed");
    assertThat(archived.get("schema").asText()).isEqualTo("migrator/archive/1");
    assertThat(archived.get("files").asLong()).isEqualTo(2);
    assertThat(archived.get("bytes").asLong()).isEqualTo(14);
    assertThat(archived.get("existed").asBoolean()).isFalse();
    String archive = archived.get("archive").asText();
    assertThat(archive).startsWith("file:" + directory + "/archives/chk-");
    assertThat(json(0, "archive", "chk", "--to", "archives/", "-o", "json").get("existed"))
        .isEqualTo(BooleanNode.TRUE);

    JsonNode verified = json(0, "verify", archive, "-o", "json");
    assertThat(names(verified))
        .containsExactly("schema", "target", "kind", "ok", "files", "bytes", "damage");
    assertThat(verified.get("kind").asText()).isEqualTo("archive");

    JsonNode restored = json(0, "restore", archive, "--to", "back", "-o", "json");
    assertThat(names(restored)).containsExactly("schema", "archive", "target", "files", "bytes");
    assertThat(directory.resolve("back/offsets/0")).hasContent("torn");
    assertThat(json(0, "verify", "back", "-o", "json").get("kind").asText()).isEqualTo("copy");
  }

  @Test
  void speaksToPeople() throws IOException {
    String archive = archive();
    assertThat(run("archive", "chk", "--to", "archives")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("Already archived, verified again: " + archive);
    assertThat(run("verify", archive)).isZero();
    assertThat(out.toString(UTF_8)).startsWith("Intact: " + archive + " (archive)");
    assertThat(run("restore", archive, "--to", "back")).isZero();
    assertThat(out.toString(UTF_8)).startsWith("Restored and verified: file:" + directory);
  }

  @Test
  void oneAtATimeRestoresToAPlace() throws IOException {
    String archive = archive();
    Path lock = Files.createDirectories(directory.resolve(".back.migrator-lock"));
    Files.writeString(lock.resolve("0123456789ab-1-1-0123456789ab.claim.json"), "{}");
    fails(3, "another operator is at work here", "restore", archive, "--to", "back");
    assertThat(directory.resolve("back")).doesNotExist();
    assertThat(run("restore", archive, "--to", "other")).isZero();
    assertThat(run("restore", archive, "--to", "back", "--take-over")).isZero();
    assertThat(directory.resolve("back/metadata")).exists();
    assertThat(lock).doesNotExist();
  }

  @Test
  void endsWithSixOnDamage() throws IOException {
    String archive = archive();
    run("restore", archive, "--to", "back");
    Files.writeString(directory.resolve("back/metadata"), "{\"id\":\"r\"}");
    Files.writeString(directory.resolve("back/added"), "");
    Files.delete(directory.resolve("back/offsets/0"));
    JsonNode copy = json(6, "verify", "back", "-o", "json");
    assertThat(copy.get("ok").asBoolean()).isFalse();
    assertThat(copy.get("damage").findValuesAsText("kind"))
        .containsExactly("ADDED", "CHANGED", "ADDED", "MISSING");
    assertThat(names(copy.get("damage").get(0))).containsExactly("kind", "path", "message");

    Path file = Path.of(archive.substring("file:".length()));
    byte[] bytes = Files.readAllBytes(file);
    bytes[bytes.length / 2] ^= 4;
    Files.write(file, bytes);
    assertThat(json(6, "verify", archive, "-o", "json").get("damage")).isNotEmpty();
    fails(6, "damaged", "restore", archive, "--to", "again");
    assertThat(directory.resolve("again")).doesNotExist();
    fails(6, "damaged", "archive", "chk", "--to", "archives");
  }

  @Test
  void endsWithTwoOnWrongArguments() throws IOException {
    String archive = archive();
    Files.writeString(directory.resolve("text"), "text");
    fails(2, "does not exist", "archive", "missing", "--to", "archives");
    fails(2, "is a file", "archive", "text", "--to", "archives");
    fails(2, "is a file", "archive", "chk", "--to", "text");
    fails(2, "--to", "archive", "chk");
    fails(2, "does not exist", "verify", "missing");
    fails(2, "no archive", "verify", "text");
    fails(2, "neither", "verify", "chk");
    fails(2, "neither", "verify", "/");
    fails(2, "does not exist", "restore", "missing", "--to", "back");
    fails(2, "no archive", "restore", "text", "--to", "back");
    fails(2, "no archive", "restore", "chk", "--to", "back");
    fails(2, "root", "restore", archive, "--to", "/");
    fails(2, "'abc' is no whole number", "restore", archive, "--to", "back", "--batch", "abc");
    fails(2, "a file stands where a directory", "restore", archive, "--to", "text/back");
  }

  @Test
  void endsWithThreeWhenItWouldBeUnsafe() throws IOException {
    String archive = archive();
    fails(3, "TARGET_INSIDE_SOURCE", "archive", "chk", "--to", "chk/archives");
    fails(3, "TARGET_INSIDE_SOURCE", "archive", "chk", "--to", "file://" + directory + "/chk/");
    fails(3, "TARGET_NOT_EMPTY", "restore", archive, "--to", "chk");
    Files.writeString(directory.resolve("file"), "");
    fails(3, "TARGET_NOT_EMPTY", "restore", archive, "--to", "file");
    fails(3, "is there already", "restore", archive, "--file", "metadata", "--to", "file");
    assertThat(directory.resolve("chk/archives")).doesNotExist();
  }
}
