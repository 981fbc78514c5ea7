package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ManifestTest {
  private static final Manifest MANIFEST =
      new Manifest(
          "0.1.0",
          "file:/chk",
          new CheckpointSummary("id", 9_007_199_254_740_993L, null),
          List.of(
              new ManifestFile(
                  "a \"b\"\n/ü🎈", Long.MAX_VALUE, "0".repeat(64), Instant.ofEpochSecond(-1, 7))),
          List.of("d"));

  private static String write(Manifest manifest) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    manifest.writeTo(out);
    return out.toString(UTF_8);
  }

  private static Manifest read(String json) throws IOException {
    return Manifest.readFrom(new ByteArrayInputStream(json.getBytes(UTF_8)));
  }

  @Test
  void isWrittenOneFileALine() throws IOException {
    assertThat(write(MANIFEST))
        .isEqualTo(
            """
            {"schema":"migrator/manifest/1","toolVersion":"0.1.0","checkpoint":"file:/chk",\
            "summary":{"queryId":"id","lastPlanned":9007199254740993,"lastCommitted":null},\
            "files":[
            {"path":"a \\"b\\"\\n/ü🎈","size":9223372036854775807,"sha256":"%s",\
            "modified":"1969-12-31T23:59:59.000000007Z"}
            ],"emptyDirectories":[
            "d"
            ]}
            """
                .formatted("0".repeat(64)));
  }

  @Test
  void isReadAsItWasWritten() throws IOException {
    assertThat(read(write(MANIFEST))).isEqualTo(MANIFEST);
    Manifest empty = new Manifest("1", "", CheckpointSummary.unknown(), List.of(), List.of());
    assertThat(read(write(empty))).isEqualTo(empty);
  }

  @Test
  void passesOverUnknownFields() throws IOException {
    String later =
        write(MANIFEST)
            .replace("\"size\"", "\"owner\":{\"x\":[1,{}]},\"size\"")
            .replace("\"files\"", "\"later\":[[],{\"files\":1}],\"files\"")
            .replace("\"queryId\"", "\"runId\":\"r\",\"queryId\"");
    assertThat(read(later)).isEqualTo(MANIFEST);
  }

  @ParameterizedTest
  @CsvSource({
    "manifest/1, manifest/2, schema",
    "\"schema\", \"scheme\", lacks",
    "\"files\", \"flies\", lacks",
    "\"path\", \"pfad\", lacks",
    "9223372036854775807, 9223372036854775808, JSON",
    "9223372036854775807, -1, wrong size",
    "9223372036854775807, 1.5, 'size'",
    "9223372036854775807, \"1\", 'size'",
    "00000000, 0000000, sha256",
    "1969-12-31T23, 1969-13-31T23, time",
    "\"d\", \"../d\", '..'",
    "\"d\", \"/d\", absolute",
    "\"d\", \"d//e\", part",
    "\"d\", \"\", empty",
    "\"d\", 1, emptyDirectories",
    "\"queryId\":\"id\", \"queryId\":1, queryId",
    "\"d\", '\"d\",\"d\"', twice",
    "\"checkpoint\":, '\"checkpoint\":\"x\",\"checkpoint\":', JSON"
  })
  void refusesWhatContradicts(String text, String replacement, String message) throws IOException {
    String json = write(MANIFEST).replaceFirst(text, replacement);
    assertThat(json).isNotEqualTo(write(MANIFEST));
    assertThatExceptionOfType(InvalidManifestException.class)
        .isThrownBy(() -> read(json))
        .withMessageContaining(message);
  }

  @Test
  void refusesWhatFollowsAndWhatIsCut() throws IOException {
    String json = write(MANIFEST);
    assertThatExceptionOfType(InvalidManifestException.class).isThrownBy(() -> read(json + "{}"));
    for (int length = 0; length < json.strip().length(); length++) {
      String cut = json.substring(0, length);
      assertThatExceptionOfType(InvalidManifestException.class).isThrownBy(() -> read(cut));
    }
  }

  @Test
  void hasAFingerprintOfNamesSizesAndBytes() {
    ManifestFile file = MANIFEST.files().get(0);
    Manifest older =
        new Manifest(
            "9",
            "elsewhere",
            CheckpointSummary.unknown(),
            List.of(new ManifestFile(file.path(), file.size(), file.sha256(), Instant.EPOCH)),
            List.of());
    assertThat(older.fingerprint()).isEqualTo(MANIFEST.fingerprint()).hasSize(64);
    Manifest other =
        new Manifest(
            "9",
            "elsewhere",
            CheckpointSummary.unknown(),
            List.of(new ManifestFile(file.path(), 1, file.sha256(), Instant.EPOCH)),
            List.of());
    assertThat(other.fingerprint()).isNotEqualTo(MANIFEST.fingerprint());
  }

  @Test
  void namesTheVersionOfTheBuild() throws IOException {
    assertThat(Files.readString(Path.of("pom.xml")))
        .contains("<version>" + ToolVersion.CURRENT + "</version>");
  }
}
