package org.streammigrator.databricks;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** The program as a process, whose environment names the workspace. */
class VolumesProcessTest {
  private static final Path FIXTURE = Path.of("../src-test-fixtures/checkpoints/rate/checkpoint");

  @TempDir private Path home;
  private VolumesServer server;
  private String out;
  private String err;

  @BeforeEach
  void upload() throws IOException {
    server = new VolumesServer();
    Location volume = Location.parse(VolumesServer.VOLUME, Path.of("/"));
    Store store = VolumeStore.of(volume, server.settings());
    try (var files = Files.walk(FIXTURE)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        store.write(
            volume.child("rate/" + FIXTURE.relativize(file)),
            Content.of(Files.readAllBytes(file)),
            Optional.empty());
      }
    }
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private int run(Map<String, String> environment, String... arguments) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path"), Cli.class.getName()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(home.resolve("out").toFile())
            .redirectError(home.resolve("err").toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("DATABRICKS_"));
    builder.environment().put("HOME", home.toString());
    builder.environment().putAll(environment);
    int code = builder.start().waitFor();
    out = Files.readString(home.resolve("out"), UTF_8);
    err = Files.readString(home.resolve("err"), UTF_8);
    return code;
  }

  @Test
  void takesHostAndTokenFromTheEnvironment() throws Exception {
    Map<String, String> environment =
        Map.of("DATABRICKS_HOST", server.host(), "DATABRICKS_TOKEN", VolumesServer.TOKEN);
    assertThat(run(environment, "inspect", VolumesServer.VOLUME + "/rate", "-o", "json"))
        .as(err)
        .isZero();
    assertThat(out).startsWith("{").contains("dbfs:" + VolumesServer.VOLUME + "/rate");
    assertThat(err).isEmpty();

    Map<String, String> wrong =
        Map.of("DATABRICKS_HOST", server.host(), "DATABRICKS_TOKEN", "dapiWRONG");
    assertThat(run(wrong, "inspect", VolumesServer.VOLUME + "/rate", "-o", "json")).isEqualTo(5);
    assertThat(err).contains("no permission", "403").doesNotContain("dapiWRONG");
    assertThat(out).isEmpty();
  }

  @Test
  void takesAProfileFromTheEnvironment() throws Exception {
    Files.write(
        home.resolve(".databrickscfg"),
        List.of(
            "[ops]",
            "host = " + server.host(),
            "client_id = client",
            "client_secret = clientSECRET"));
    Map<String, String> environment = Map.of("DATABRICKS_CONFIG_PROFILE", "ops");
    assertThat(run(environment, "inspect", VolumesServer.VOLUME + "/rate")).as(err).isZero();
    assertThat(err).isEmpty();
    assertThat(run(Map.of(), "inspect", VolumesServer.VOLUME + "/rate")).isEqualTo(2);
    assertThat(err).contains("DATABRICKS_HOST");
  }
}
