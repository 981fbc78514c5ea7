package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Checkpoints in a store that moves nothing: inspected, archived, relocated from and to it, rolled
 * back. A backend is tested by a small subclass.
 */
abstract class StoreApplyContract {
  @TempDir private Path directory;
  private Location root;
  private Store store;
  private String output;

  /** An empty place in the store, another one for every test. */
  protected abstract Location emptyPlace() throws IOException;

  /** All stores, with settings that reach the place. */
  protected abstract Store store(Location place);

  /** The settings as the plan file says them. */
  protected abstract Map<String, String> settings();

  /** What must be in no output. */
  protected abstract String secret();

  /** How often a run is made to crash. */
  protected int crashes() {
    return FaultSample.ALL ? 6 : 1;
  }

  /** The checkpoint that is moved, with state. */
  protected String fixture() {
    return "window-hdfs";
  }

  /** The environment that the settings refer to. */
  protected Optional<String> environment(String name) {
    return Optional.empty();
  }

  @BeforeEach
  final void upload() throws IOException {
    root = emptyPlace();
    store = store(root);
    Path fixture = Path.of("../src-test-fixtures/checkpoints", fixture(), "checkpoint");
    try (var files = Files.walk(fixture)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        if (HadoopCrc.isName(file.getFileName().toString())) {
          continue; // No query leaves these in such a store.
        }
        store.write(
            root.child("chk/old/" + fixture.relativize(file)),
            Content.of(Files.readAllBytes(file)),
            Optional.empty());
      }
    }
    List<String> storage = new ArrayList<>(List.of("storage:", "  \"" + root + "\":"));
    settings().forEach((key, value) -> storage.add("    " + key + ": \"" + value + "\""));
    Files.write(directory.resolve("storage.yaml"), storage);
    List<String> plan = new ArrayList<>();
    plan.addAll(List.of("version: 1", "name: moves", "journal: " + root + "/ops"));
    plan.addAll(storage);
    plan.addAll(
        List.of(
            "streams:",
            "  - name: window",
            "    strategy: relocate",
            "    archive: {to: \"" + archives() + "\"}",
            "    checkpoint: {from: " + root + "/chk/old, to: " + root + "/chk/new}"));
    Files.write(directory.resolve("plan.yaml"), plan);
  }

  /** A store that may leave a part of a file takes no archives. */
  private Location archives() throws IOException {
    return store.traits(root).wholeOrNothing()
        ? root.child("archive")
        : Location.of(directory.resolve("archive"));
  }

  /** Runs a command over a store, or as the program does it. */
  private int run(Optional<Store> over, String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, UTF_8);
    CliContext process = CliContext.ofProcess();
    CliContext context =
        new CliContext(
            directory,
            this::environment,
            over.orElse(process.store()),
            process.clock(),
            process.ids(),
            process.jobs());
    int code = Cli.run(List.of(arguments), print, print, context);
    output = out.toString(UTF_8);
    assertThat(output).doesNotContain(secret());
    return code;
  }

  private void runs(String... arguments) {
    assertThat(run(Optional.empty(), arguments)).as(output).isZero();
  }

  private void runsOver(String... arguments) {
    assertThat(run(Optional.of(store), arguments)).as(output).isZero();
  }

  private Map<String, String> files(String place) throws IOException {
    Map<String, String> files = new HashMap<>();
    for (StoreEntry entry : store.walk(root.child(place))) {
      if (entry.isFile()) {
        files.put(
            entry.location().relativeTo(root.child(place)),
            new String(store.readAll(entry.location()), ISO_8859_1));
      }
    }
    return files;
  }

  private void assertNothingIsLeftOfTheTarget() throws IOException {
    assertThat(store.list(root.child("chk")).stream().map(e -> e.location().name()))
        .containsExactly("old");
  }

  /** As a user does it: settings in the plan, and in a file for what reads no plan. */
  @Test
  void movesAQueryWithinAStoreAndBack() throws IOException {
    Map<String, String> old = files("chk/old");
    runs("inspect", root + "/chk/old", "--storage", "storage.yaml");
    assertThat(output).contains("restart");

    runs("plan", "plan.yaml");
    assertThat(store.stat(root.child("chk/new"))).isEmpty();
    assertThat(store.stat(root.child("ops"))).isEmpty();

    runs("apply", "plan.yaml");
    Map<String, String> written = files("chk/new");
    assertThat(written).isNotEmpty();
    written.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(old.get(path)));
    runs("--storage", "storage.yaml", "inspect", root + "/chk/new");
    runs("verify", root + "/chk/new", "--storage", "storage.yaml");
    runs("apply", "plan.yaml");
    runs("status", "plan.yaml");
    for (StoreEntry archive : store.list(archives())) {
      runsOver("verify", archive.location().toString());
      String to = directory.resolve("restored").toString();
      runsOver("restore", archive.location().toString(), "--to", to);
      int code =
          run(Optional.of(store), "restore", archive.location().toString(), "--to", root + "/r");
      assertThat(code).as(output).isEqualTo(3);
      assertThat(output).contains("NOT_AVAILABLE");
      assertThat(store.stat(root.child("r"))).isEmpty();
    }
    assertThat(store.walk(root.child("ops")))
        .noneMatch(e -> e.isFile() && e.location().path().contains("/lock/"));

    runs("rollback", "plan.yaml");
    assertNothingIsLeftOfTheTarget();
    assertThat(files("chk/old")).isEqualTo(old);
  }

  /** Crashes all over the run; the rerun ends in the same bytes. */
  @Test
  void endsInTheSameBytesAfterACrash() throws IOException {
    Map<String, String> old = files("chk/old");
    FaultStore counting = FaultStore.counting(store);
    assertThat(run(Optional.of(counting), "apply", "plan.yaml")).as(output).isZero();
    Map<String, String> reference = files("chk/new");
    runsOver("rollback", "plan.yaml");
    int last = counting.calls();
    for (int part = 1; part <= crashes(); part++) {
      FaultStore.Fault fault = part % 2 == 0 ? FaultStore.Fault.BEFORE : FaultStore.Fault.AFTER;
      FaultStore crashing = FaultStore.crashingAt(last * part / (crashes() + 1), fault, store);
      assertThat(run(Optional.of(crashing), "apply", "plan.yaml")).isNotZero();
      runsOver("apply", "plan.yaml");
      assertThat(files("chk/new")).as("part %s", part).isEqualTo(reference);
      assertThat(files("chk/old")).isEqualTo(old);
      runsOver("rollback", "plan.yaml");
      assertNothingIsLeftOfTheTarget();
    }
  }
}
