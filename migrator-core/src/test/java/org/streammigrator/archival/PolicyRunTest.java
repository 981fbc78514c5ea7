package org.streammigrator.archival;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.S3Server;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

class PolicyRunTest {
  private static final Instant NOW = ArchivalWorld.END.plus(Duration.ofDays(60));
  private static final int SAMPLE = 8;
  private static final String IDLE = "choose: idle\nolderThan: 30d\n";

  @TempDir private Path directory;
  private ArchivalWorld world;

  @BeforeEach
  void begin() {
    world = new ArchivalWorld(directory);
  }

  private void policy(String... lines) throws IOException {
    Files.writeString(
        directory.resolve("policy.yaml"),
        "version: 1\nname: nightly\n" + String.join("\n", lines) + "\n");
  }

  /** Status and reason or archive, by the checkpoint's path below the directory. */
  private Map<String, String> outcome(JsonNode run) {
    Map<String, String> outcome = new TreeMap<>();
    for (JsonNode item : run.get("checkpoints")) {
      String path = item.get("checkpoint").asText().substring(world.root.toString().length() + 1);
      String rest = item.get("reason").asText("");
      String archive = item.get("archive").asText("");
      if (rest.isEmpty() && !archive.isEmpty()) {
        rest =
            archive.substring(world.root.toString().length() + 1).replaceAll("-[0-9a-f]{12}", "");
      }
      outcome.put(path, item.get("status").asText() + " " + rest);
    }
    return outcome;
  }

  @Test
  void archivesWhatIsChosenByTeamAndDateAndNotTwice() throws IOException {
    world.checkpoint("chk/sales/orders v1%20ü");
    world.checkpoint("chk/sales/deep/er/clicks", Instant.parse("2025-11-30T23:59:59Z"));
    world.checkpoint("chk/plain");
    world.checkpoint("chk/sales/fresh", NOW.minus(Duration.ofDays(29)));
    world.checkpoint("chk/sales/tmp_x");
    world.checkpoint("own/one");
    policy(
        "roots: [chk, {path: own, team: \"the platform\"}]",
        "exclude: [\"tmp_*\"]",
        IDLE + "to: \"archive/${team}/${year}-${month}\"\nkeepFor: 365d");
    JsonNode dry = world.json(0, NOW, "archive", "--policy", "policy.yaml", "--dry-run");
    assertThat(Files.exists(directory.resolve("archive"))).isFalse();
    JsonNode run = world.json(0, NOW, "archive", "--policy", "policy.yaml");
    assertThat(outcome(run)).isEqualTo(outcome(dry));
    assertThat(outcome(run))
        .isEqualTo(
            new TreeMap<>(
                Map.of(
                    "chk/sales/orders v1%20ü",
                    "ARCHIVED archive/sales/2026-01/orders v1%20ü.tar.zst",
                    "chk/sales/deep/er/clicks",
                    "ARCHIVED archive/sales/2025-11/clicks.tar.zst",
                    "chk/plain",
                    "ARCHIVED archive/chk/2026-01/plain.tar.zst",
                    "chk/sales/fresh",
                    "SKIPPED its last commit is 696 hours old only",
                    "chk/sales/tmp_x",
                    "SKIPPED a pattern of `exclude` matches it",
                    "own/one",
                    "ARCHIVED archive/the platform/2026-01/one.tar.zst")));
    JsonNode summary = run.get("summary");
    assertThat(summary.get("found").asLong()).isEqualTo(6);
    assertThat(summary.get("archived").asLong()).isEqualTo(4);
    assertThat(summary.get("files").asLong()).isEqualTo(4 * 7);
    assertThat(summary.get("archiveBytes").asLong()).isPositive();
    for (JsonNode item : run.get("checkpoints")) {
      if (item.get("status").asText().equals("ARCHIVED")) {
        String archive = item.get("archive").asText();
        assertThat(world.run(NOW, "verify", archive)).as(world.printed).isZero();
        JsonNode list = world.json(0, NOW, "archive", "--list", archive);
        assertThat(list.get("keepUntil")).isEqualTo(item.get("keepUntil"));
        assertThat(item.get("keepUntil").asText()).matches("\\d{4}-\\d\\d-\\d\\d");
        assertThat(item.get("archiveBytes")).isEqualTo(list.get("size"));
      }
    }

    Map<String, String> before = world.files("");
    JsonNode again =
        world.json(0, NOW.plus(Duration.ofDays(1)), "archive", "--policy", "policy.yaml");
    assertThat(again.get("summary").get("unchanged").asLong()).isEqualTo(4);
    assertThat(again.get("summary").get("archived").asLong()).isEqualTo(1);
    assertThat(again.get("summary").get("files").asLong()).isEqualTo(7);
    before.forEach((path, content) -> assertThat(world(path)).isEqualTo(content));

    world.batch("chk/plain", 3, ArchivalWorld.END.plusSeconds(60));
    JsonNode grown = world.json(0, NOW, "archive", "--policy", "policy.yaml", "--dry-run");
    assertThat(outcome(grown).get("chk/plain")).startsWith("ARCHIVED");
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml")).isZero();
    assertThat(world.printed).contains("1 archived", "3 unchanged", "to be kept until");
  }

  private String world(String path) {
    try {
      return world.files("").get(path);
    } catch (IOException failed) {
      throw new IllegalStateException(failed);
    }
  }

  @Test
  void archivesOnlyWhatAFinishedMigrationWentOnFrom() throws IOException {
    world.checkpoint("chk/old");
    world.checkpoint("chk/live");
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: move\nstreams:\n  - {strategy: relocate,"
            + " checkpoint: {from: chk/old, to: chk/new}}\n");
    assertThat(world.run(NOW, "apply", "plan.yaml")).as(world.printed).isZero();
    policy("roots: [chk]", "choose: superseded", "journals: move.journal", "to: archive");
    Map<String, String> outcome = outcome(world.json(0, NOW, "archive", "--policy", "policy.yaml"));
    assertThat(outcome.get("chk/old")).startsWith("ARCHIVED");
    assertThat(outcome.get("chk/live")).isEqualTo("SKIPPED no journal says that it is superseded");
    assertThat(outcome.get("chk/new")).startsWith("SKIPPED");

    policy("roots: [chk]", "choose: superseded", "journals: [move.journal, gone]", "to: archive");
    JsonNode run = world.json(5, NOW, "archive", "--policy", "policy.yaml");
    assertThat(run.get("findings").findValuesAsText("code")).containsExactly("UNREADABLE");
    assertThat(run.get("summary").get("unchanged").asLong()).isEqualTo(1);
  }

  @Test
  void aBadCheckpointStopsNoOther() throws IOException {
    world.checkpoint("chk/bad");
    world.checkpoint("chk/good");
    Files.createSymbolicLink(directory.resolve("chk/bad/broken"), Path.of("nowhere"));
    policy("roots: [chk]", IDLE + "to: archive");
    JsonNode run = world.json(5, NOW, "archive", "--policy", "policy.yaml");
    assertThat(outcome(run).get("chk/good")).startsWith("ARCHIVED");
    assertThat(outcome(run).get("chk/bad")).startsWith("FAILED").contains("broken");
    policy("roots: [chk, not-there]", "include: [good]", IDLE + "to: archive");
    run = world.json(5, NOW, "archive", "--policy", "policy.yaml");
    assertThat(outcome(run).get("chk/bad")).startsWith("SKIPPED");
    assertThat(run.get("findings").findValuesAsText("code")).containsExactly("UNREADABLE");
    policy("roots: [chk]", "include: bad", IDLE + "to: archive");
    world.json(3, NOW, "archive", "--policy", "policy.yaml");
    policy("roots: [chk]", "include: none", IDLE + "to: archive");
    world.json(0, NOW, "archive", "--policy", "policy.yaml");
  }

  @Test
  void anArchiveThatWasCutOrSwappedIsNotTakenForWhole() throws IOException {
    world.checkpoint("chk/a");
    world.checkpoint("chk/b");
    policy("roots: [chk]", IDLE + "to: archive");
    JsonNode run = world.json(0, NOW, "archive", "--policy", "policy.yaml");
    Path a = Path.of(run.get("checkpoints").get(0).get("archive").asText().substring(5));
    Path b = Path.of(run.get("checkpoints").get(1).get("archive").asText().substring(5));
    byte[] bytes = Files.readAllBytes(a);
    Files.write(a, Arrays.copyOf(bytes, bytes.length - 1));
    Files.write(b, bytes);
    run = world.json(3, NOW, "archive", "--policy", "policy.yaml");
    assertThat(outcome(run).get("chk/a")).startsWith("FAILED").contains("damaged");
    assertThat(outcome(run).get("chk/b")).startsWith("FAILED").contains("something else");
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER", "TORN"})
  void aRunThatWasKilledAnywhereIsFinishedByTheNext(FaultStore.Fault fault) throws IOException {
    world.checkpoint("chk/a");
    world.checkpoint("chk/b");
    policy("roots: [chk]", "parallelism: 1", IDLE + "keepFor: 10d", "to: archive0");
    FaultStore counting = FaultStore.counting(world.store);
    assertThat(world.run(counting, NOW, "archive", "--policy", "policy.yaml")).isZero();
    assertThat(counting.calls()).isGreaterThan(40);
    // A call that writes nothing is not torn: it would be as BEFORE.
    for (int call :
        fault == FaultStore.Fault.TORN
            ? FaultSample.of(counting.writes(), SAMPLE)
            : FaultSample.between(1, counting.calls(), SAMPLE)) {
      String to = "archive" + call;
      policy("roots: [chk]", "parallelism: 1", IDLE + "keepFor: 10d", "to: " + to);
      FaultStore crashing = FaultStore.crashingAt(call, fault, world.store);
      int code = world.run(crashing, NOW, "archive", "--policy", "policy.yaml");
      if (crashing.crashed()) {
        assertThat(code).as("call " + call + ": " + world.printed).isNotZero();
      }
      assertThat(world.run(NOW, "archive", "--policy", "policy.yaml"))
          .as("call " + call + ": " + world.printed)
          .isZero();
      List<String> names = new ArrayList<>();
      for (String path : world.files(to).keySet()) {
        names.add(path.replaceAll("-[0-9a-f]{12}", "").replaceAll("\\d{4}-\\d\\d-\\d\\d", "DAY"));
      }
      assertThat(names)
          .as("call " + call)
          .containsExactlyInAnyOrder(
              "a.tar.zst",
              "a.tar.zst.keep-until-DAY.json",
              "b.tar.zst",
              "b.tar.zst.keep-until-DAY.json");
    }
  }

  @Test
  void twoRunsAtOnceEndInWholeArchives() throws Exception {
    for (int number = 0; number < 12; number++) {
      world.checkpoint("chk/c" + number);
    }
    policy("roots: [chk]", "parallelism: 3", IDLE + "to: archive");
    ExecutorService threads = Executors.newFixedThreadPool(3);
    List<Callable<Integer>> runs = new ArrayList<>();
    for (int run = 0; run < 3; run++) {
      ArchivalWorld own = new ArchivalWorld(directory);
      runs.add(() -> own.run(NOW, "archive", "--policy", "policy.yaml"));
    }
    for (Future<Integer> run : threads.invokeAll(runs)) {
      assertThat(run.get()).as("what another run writes is waited for").isZero();
    }
    threads.shutdown();
    JsonNode after = world.json(0, NOW, "archive", "--policy", "policy.yaml");
    assertThat(
            after.get("summary").get("archived").asLong()
                + after.get("summary").get("unchanged").asLong())
        .isEqualTo(12);
    assertThat(world.files("archive")).hasSize(12);
    for (String name : world.files("archive").keySet()) {
      assertThat(world.run(NOW, "verify", "archive/" + name)).as(world.printed).isZero();
    }
  }

  @Test
  void aStoreThatDoesNotAnswerIsTheSameToEveryCommand() throws IOException {
    world.checkpoint("chk/one");
    policy("roots: [chk]", IDLE + "to: archive");
    Store silent =
        new ForwardingStore(world.store) {
          @Override
          public List<StoreEntry> walk(Location directory) throws IOException {
            throw new IOException(directory + ": connection refused");
          }

          @Override
          public List<StoreEntry> list(Location directory) throws IOException {
            throw new IOException(directory + ": connection refused");
          }

          @Override
          public List<StoreEntry> list(Location directory, Predicate<String> wanted)
              throws IOException {
            return list(directory);
          }
        };
    List<List<String>> commands =
        List.of(
            List.of("inspect", "chk/one"),
            List.of("resume", "chk/one"),
            List.of("discover", "chk"),
            List.of("archive", "chk/one", "--to", "archive"),
            List.of("archive", "--policy", "policy.yaml"));
    for (List<String> command : commands) {
      assertThat(world.run(silent, NOW, command.toArray(String[]::new)))
          .as(command + world.printed)
          .isEqualTo(5);
      assertThat(world.printed).contains("connection refused");
    }
  }

  @Test
  void worksInAnObjectStore() throws IOException {
    objects(new MemoryObjectStore(), Location.parse("s3a://bucket/w", directory), List.of());
  }

  @Test
  void worksOnAnS3Server() throws IOException {
    S3Server server = S3Server.get();
    Location bucket = server.newBucket();
    objects(
        server.stores(bucket),
        bucket.child("w"),
        server.settings().entrySet().stream()
            .map(entry -> "    " + entry.getKey() + ": \"" + entry.getValue() + "\"")
            .toList());
  }

  private void objects(Store store, Location root, List<String> settings) throws IOException {
    ArchivalWorld objects = new ArchivalWorld(directory, store, root);
    objects.checkpoint("chk/team/a b%20ü");
    List<String> lines = new ArrayList<>();
    lines.add("roots: [\"" + root + "/chk\"]");
    lines.add("choose: idle\nolderThan: 1ms\nkeepFor: 1d");
    lines.add("to: \"" + root + "/archive/${team}\"");
    if (!settings.isEmpty()) {
      lines.add("storage:\n  \"" + root + "\":");
      lines.addAll(settings);
    }
    policy(lines.toArray(String[]::new));
    Instant now = Instant.now().plusSeconds(60);
    JsonNode run = objects.json(0, now, "archive", "--policy", "policy.yaml");
    assertThat(run.get("summary").get("archived").asLong()).isEqualTo(1);
    assertThat(run.get("checkpoints").get(0).get("archive").asText())
        .startsWith(root + "/archive/team/a b%20ü-");
    run = objects.json(0, now, "archive", "--policy", "policy.yaml");
    assertThat(run.get("summary").get("unchanged").asLong()).isEqualTo(1);
    assertThat(objects.files("archive/team").keySet().stream().filter(n -> !n.endsWith("/")))
        .hasSize(2);
    String archive = run.get("checkpoints").get(0).get("archive").asText();
    ArchivalWorld both = new ArchivalWorld(directory, new Both(store), root);
    assertThat(both.run(now, "restore", archive, "--to", directory + "/back"))
        .as(both.printed)
        .isZero();
    assertThat(both.run(now, "restore", archive, "--file", "offsets/1", "--to", directory + "/one"))
        .as(both.printed)
        .isZero();
    assertThat(directory.resolve("one"))
        .hasSameTextualContentAs(directory.resolve("back/offsets/1"));
    assertThat(both.run(now, "verify", archive, "--sample", "50%")).as(both.printed).isZero();
  }

  /** A store of objects, and the disk. */
  private static final class Both extends ForwardingStore {
    private final Store objects;

    Both(Store objects) {
      super(new LocalStore());
      this.objects = objects;
    }

    @Override
    public Optional<StoreEntry> stat(Location location) throws IOException {
      return location.isLocal() ? super.stat(location) : objects.stat(location);
    }

    @Override
    public InputStream open(Location file) throws IOException {
      return file.isLocal() ? super.open(file) : objects.open(file);
    }

    @Override
    public InputStream open(Location file, long offset) throws IOException {
      return file.isLocal() ? super.open(file, offset) : objects.open(file, offset);
    }
  }

  @Test
  void tellsEverythingThatIsWrongWithAPolicyAtOnce() throws IOException {
    Files.writeString(
        directory.resolve("policy.yaml"),
        "version: 2\n"
            + "name: n\n"
            + "roots: [{path: chk, team: ../x}]\n"
            + "choose: idel\n"
            + "oldrThan: 3d\n"
            + "to: \"archive/${tema}\"\n"
            + "keepFor: 3\n"
            + "keepUntil: tomorrow\n"
            + "parallelism: 0\n");
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml")).isEqualTo(2);
    assertThat(world.printed)
        .contains(
            "policy.yaml:1:10: version",
            "policy.yaml:3:27: roots[0].team",
            "policy.yaml:4:9: choose",
            "did you mean 'idle'",
            "policy.yaml:5:1: oldrThan",
            "did you mean 'olderThan'",
            "policy.yaml:6:5: to",
            "policy.yaml:7:10: keepFor",
            "policy.yaml:8:12: keepUntil",
            "policy.yaml:9:14: parallelism");
    policy("roots: []", "choose: superseded", "to: archive");
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml")).isEqualTo(2);
    assertThat(world.printed).contains("journals", "at least one root");
    policy("roots: [chk]", "choose: idle", "to: archive");
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml")).isEqualTo(2);
    assertThat(world.printed).contains("olderThan");
    String volume = "{databricks.workspace: ops, databricks.token: dapi12}";
    policy(
        "roots: [chk]",
        "choose: idle",
        "olderThan: 1d",
        "to: archive",
        "storage: {\"dbfs:/Volumes/a\": " + volume + "}");
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml")).isEqualTo(2);
    assertThat(world.printed)
        .contains("there is no workspace ops", "a secret must not stand in a file")
        .doesNotContain("dapi12");
    assertThat(world.run(NOW, "archive", "--policy", "gone.yaml")).isEqualTo(2);
    assertThat(world.run(NOW, "archive", "--policy", "policy.yaml", "--to", "x")).isEqualTo(2);
    assertThat(world.run(NOW, "archive")).isEqualTo(2);
  }
}
