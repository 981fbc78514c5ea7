package org.streammigrator.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.plan.StorageFile;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.Stores;

/** {@code --storage FILE}, and the same settings in a plan: what they give, and what is refused. */
class StorageOptionTest {
  private static final String MOUNTS = "fs.viewfs.mounttable.mounts.link./data";

  @TempDir private Path directory;
  private final Map<String, String> environment = new HashMap<>();
  private String output;

  private CliContext context() {
    CliContext process = CliContext.ofProcess();
    return new CliContext(
        directory,
        name -> Optional.ofNullable(environment.get(name)),
        process.store(),
        process.clock(),
        process.ids(),
        process.jobs());
  }

  private int run(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, UTF_8);
    int code = Cli.run(List.of(arguments), print, print, context());
    output = out.toString(UTF_8);
    return code;
  }

  private void file(String... lines) throws IOException {
    Files.write(directory.resolve("storage.yaml"), List.of(lines));
  }

  private static Location at(String place) {
    return Location.parse(place, Path.of("/"));
  }

  @Test
  void reachesAPlaceThatOnlyTheFileExplains() throws IOException {
    Path fixture = Path.of("../src-test-fixtures/checkpoints").toAbsolutePath().normalize();
    file("storage:", "  \"viewfs://mounts\":", "    " + MOUNTS + ": \"" + fixture.toUri() + "\"");
    String place = "viewfs://mounts/data/rate/checkpoint";
    assertThat(run("inspect", place)).as(output).isNotZero();
    assertThat(run("inspect", place, "--storage", "storage.yaml")).as(output).isZero();
    assertThat(run("--storage", "storage.yaml", "inspect", place)).as(output).isZero();
    assertThat(run("discover", "viewfs://mounts/data/rate", "--storage=storage.yaml"))
        .as(output)
        .isZero();
  }

  @Test
  void winsOverThePlan() throws IOException {
    Session session = new Session(context(), System.out, System.err);
    Location place = at("viewfs://mounts");
    Path one = Files.createDirectories(directory.resolve("one/only-in-one"));
    Path two = Files.createDirectories(directory.resolve("two/only-in-two"));
    session.useStorage(
        new StorageSettings(Map.of(place, Map.of(MOUNTS, one.getParent().toUri().toString()))));
    session.usePlan(
        new StorageSettings(Map.of(place, Map.of(MOUNTS, two.getParent().toUri().toString()))));
    assertThat(session.context().store().list(place.child("data")))
        .extracting(StoreEntry::location)
        .containsExactly(place.child("data/only-in-one"));
    assertThat(context().withStorage(StorageSettings.NONE).store()).isInstanceOf(Stores.class);
  }

  @Test
  void takesTheCredentialsOfAWorkspace() throws IOException {
    file(
        "workspaces:",
        "  ops: {host: \"https://ops.example\", token: \"${env:OPS_TOKEN}\"}",
        "storage:",
        "  /Volumes/main: {databricks.workspace: ops, databricks.attempts: \"2\"}");
    environment.put("OPS_TOKEN", "dapiSECRET");
    StorageFile file = StorageOption.read(context(), "storage.yaml");
    StorageSettings settings = StorageOption.settings(file.storage(), file.workspaces());
    assertThat(settings.of(at("dbfs:/Volumes/main/a/b/c")))
        .isEqualTo(
            Map.of(
                "databricks.host", "https://ops.example",
                "databricks.token", "dapiSECRET",
                "databricks.attempts", "2"));
    assertThat(settings.of(at("/Volumes/other/a/b"))).isEmpty();
  }

  @Test
  void refusesAFileWithMistakes() throws IOException {
    Map<String, String> mistakes =
        Map.of(
            "storag: {}", "did you mean",
            "storage: {\"s3a:\": {a: b}}", "needs a path after the scheme",
            "storage: {\"s3a://b\": {a: \"${env:MISSING}\"}}", "MISSING",
            "storage: {\"s3a://b\": [a]}", "expected",
            "storage: {/Volumes/a: {databricks.workspace: ops}}", "no workspace ops",
            "storage: {/Volumes/a: {databricks.token: dapiSECRET}}", "${env:NAME}",
            "storage: [", "is not YAML");
    for (Map.Entry<String, String> mistake : mistakes.entrySet()) {
      file(mistake.getKey());
      assertThat(run("inspect", "x", "--storage", "storage.yaml"))
          .as(mistake.getKey() + output)
          .isEqualTo(ExitCode.USAGE);
      assertThat(output)
          .as(mistake.getKey())
          .contains("storage.yaml:", mistake.getValue())
          .doesNotContain("dapiSECRET");
    }
    file("storage: {/Volumes/a: {databricks.token: \"${env:MISSING}\"}}");
    assertThat(run("inspect", "x", "--storage", "storage.yaml")).isEqualTo(ExitCode.USAGE);
    assertThat(output.lines().skip(1)).as("one mistake, told once").hasSize(1);
    assertThat(output).contains("MISSING is not set");
    assertThat(run("inspect", "x", "--storage", "none.yaml")).isEqualTo(ExitCode.USAGE);
    assertThat(output).contains("there is no file");
  }

  @Test
  void refusesTheSameInAPlan() throws IOException {
    Files.write(
        directory.resolve("plan.yaml"),
        List.of(
            "version: 1",
            "name: p",
            "storage:",
            "  \"s3a:\": {a: b}",
            "  /Volumes/a: {databricks.workspace: opps}",
            "workspaces: {ops: {profile: OPS}}",
            "streams:",
            "  - name: s",
            "    strategy: relocate",
            "    checkpoint: {from: /a, to: /b}"));
    assertThat(run("validate", "plan.yaml")).isEqualTo(ExitCode.USAGE);
    assertThat(output).contains("plan.yaml:4", "plan.yaml:5", "did you mean");
  }

  @Test
  void saysThatNoWorkspaceIsNamed() {
    if (System.getenv("DATABRICKS_HOST") == null
        && !Files.exists(Path.of(System.getProperty("user.home"), ".databrickscfg"))) {
      assertThat(run("inspect", "/Volumes/no/such/volume/x")).isEqualTo(ExitCode.USAGE);
      assertThat(output).contains("DATABRICKS_HOST");
    }
  }
}
