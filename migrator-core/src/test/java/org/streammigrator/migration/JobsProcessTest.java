package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.databricks.VolumesServer;

/** The program as a process that really waits, with the workspaces as profiles. */
@Timeout(60)
class JobsProcessTest {
  @TempDir private Path directory;

  @Test
  void movesARunningQuery() throws Exception {
    try (JobsHome home = new JobsHome(directory)) {
      Files.writeString(
          directory.resolve("databrickscfg"),
          "[A]\nhost = %s\ntoken = %s\n[B]\nhost = %s\nclient_id = client\nclient_secret = clientSECRET\n"
              .formatted(home.old.host(), VolumesServer.TOKEN, home.next.host()));
      home.plan(JobsHome.STOP.replace("10s", "200ms"), JobsHome.CUTOVER);
      Path plan = directory.resolve("plan.yaml");
      Files.writeString(
          plan,
          Files.readString(plan)
              .replaceAll("  old: .*", "  old: {profile: A}")
              .replaceAll("  new: .*", "  new: {profile: B}"));
      home.old.startRun(home.oldJob);
      ProcessBuilder builder =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "-XX:+UseSerialGC",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Cli.class.getName(),
                  "apply",
                  plan.toString())
              .redirectOutput(directory.resolve("out").toFile())
              .redirectError(directory.resolve("err").toFile())
              .directory(directory.toFile());
      builder.environment().keySet().removeIf(name -> name.startsWith("DATABRICKS_"));
      builder
          .environment()
          .put("DATABRICKS_CONFIG_FILE", directory.resolve("databrickscfg").toString());
      int code = builder.start().waitFor();
      String out = Files.readString(directory.resolve("out"));
      String err = Files.readString(directory.resolve("err"));
      assertThat(code).as(out + err).isZero();
      assertThat(err).isEmpty();
      assertThat(out).contains("watch done").doesNotContain(VolumesServer.TOKEN, "clientSECRET");
      assertThat(home.old.activeRuns(home.oldJob)).isEmpty();
      assertThat(home.next.activeRuns(home.newJob)).hasSize(1);
    }
  }
}
