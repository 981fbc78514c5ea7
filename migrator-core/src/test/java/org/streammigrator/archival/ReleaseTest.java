package org.streammigrator.archival;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;

class ReleaseTest {
  private static final Instant MIGRATED = ArchivalWorld.END.plusSeconds(3600);
  private static final Instant LATER = MIGRATED.plus(Duration.ofDays(30));
  private static final int SAMPLE = 5;
  private static final String OLD = "chk/orders v1%20ü";

  @TempDir private Path directory;
  private ArchivalWorld world;
  private String archive;

  @BeforeEach
  void migrate() throws IOException {
    world = new ArchivalWorld(directory);
    migrate(world, Duration.ofDays(9));
  }

  /** The new query commits batches 3 to 6, the last so long after the migration. */
  private void migrate(ArchivalWorld in, Duration ran) throws IOException {
    in.checkpoint(OLD);
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: move\njournal: \""
            + in.root
            + "/ops\"\nstreams:\n  - strategy: relocate\n    archive: {to: \""
            + in.root
            + "/archive\", releaseAfter: 7d}\n    checkpoint: {from: \""
            + in.root.child(OLD)
            + "\", to: \""
            + in.root
            + "/chk/v2\"}\n");
    assertThat(in.run(MIGRATED, "apply", "plan.yaml")).as(in.printed).isZero();
    archive = in.store.list(in.root.child("archive")).get(0).location().toString();
    for (long batch = 3; batch <= 6; batch++) {
      in.batch(
          "chk/v2", batch, MIGRATED.plusSeconds(60).plus(ran.multipliedBy(batch - 3).dividedBy(3)));
    }
  }

  private String[] release(ArchivalWorld in, String... more) {
    List<String> all =
        new ArrayList<>(List.of("release", in.root.child(OLD).toString(), "--archive", archive));
    all.addAll(List.of("--plan", "plan.yaml"));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private void refused(String code) throws IOException {
    Map<String, String> before = world.files("");
    JsonNode json = world.json(3, LATER, release(world, "--confirm", "orders v1%20ü"));
    assertThat(json.get("status").asText()).isEqualTo("REFUSED");
    assertThat(json.get("findings").findValuesAsText("code")).contains(code);
    assertThat(world.files("")).isEqualTo(before);
  }

  @Test
  void asksFirstAndThenDeletesNothingButTheCheckpoint() throws IOException {
    Map<String, String> before = world.files("");
    JsonNode dry = world.json(0, LATER, release(world, "--dry-run"));
    assertThat(dry.get("schema").asText()).isEqualTo("migrator/release/1");
    assertThat(dry.get("status").asText()).isEqualTo("WOULD_RELEASE");
    assertThat(dry.get("evidence").get("firstBatch").asLong()).isEqualTo(3);
    assertThat(dry.get("evidence").get("lastBatch").asLong()).isEqualTo(6);
    assertThat(dry.get("evidence").get("batches").asLong()).isEqualTo(4);
    assertThat(dry.get("evidence").get("longestPauseMs").asLong()).isEqualTo(3L * 24 * 3600 * 1000);
    assertThat(dry.get("evidence").get("fromTheStart").asBoolean()).isTrue();
    assertThat(dry.get("evidence").get("cannotKnow")).isNotEmpty();
    assertThat(world.run(LATER, release(world))).isEqualTo(2);
    assertThat(world.printed).contains("--confirm orders v1%20ü");
    assertThat(world.run(LATER, release(world, "--confirm", "orders"))).isEqualTo(2);
    assertThat(world.files("")).isEqualTo(before);

    assertThat(world.run(LATER, release(world, "--confirm", "orders v1%20ü")))
        .as(world.printed)
        .isZero();
    before.keySet().removeIf(path -> path.startsWith(OLD));
    Map<String, String> after = world.files("");
    List<String> records =
        after.keySet().stream().filter(path -> path.contains("migrator-release-")).toList();
    assertThat(records).hasSize(2);
    records.forEach(after::remove);
    assertThat(after).isEqualTo(before);
    assertThat(world.run(LATER, release(world, "--confirm", "orders v1%20ü"))).isZero();
    assertThat(world.printed).contains("earlier run");
    assertThat(world.run(LATER, "restore", archive, "--to", "back")).as(world.printed).isZero();
  }

  @Test
  void aSuccessorThatHasNotRunLongEnoughKeepsTheOldOne() throws IOException {
    world.touch("chk/v2/commits/6", MIGRATED.plus(Duration.ofDays(7)));
    refused("SUCCESSOR_NOT_PROVEN");
    world.touch("chk/v2/commits/6", MIGRATED.plus(Duration.ofDays(7)).plusSeconds(60));
    assertThat(world.run(LATER, release(world, "--dry-run"))).as(world.printed).isZero();
    assertThat(world.run(LATER, release(world, "--dry-run", "--clean-for", "8d"))).isEqualTo(3);
    // The plan's own time is not undercut.
    world.touch("chk/v2/commits/6", MIGRATED.plus(Duration.ofDays(2)));
    assertThat(world.run(LATER, release(world, "--dry-run", "--clean-for", "1d"))).isEqualTo(3);
  }

  @Test
  void aLogThatReachesNotFarEnoughBackHasToBeTakenKnowingly() throws IOException {
    for (long batch = 3; batch <= 5; batch++) {
      Files.delete(directory.resolve("chk/v2/commits/" + batch));
      if (batch < 5) {
        Files.delete(directory.resolve("chk/v2/offsets/" + batch));
      }
    }
    refused("SUCCESSOR_HISTORY_SHORT");
    assertThat(world.run(LATER, release(world, "--dry-run", "--accept", "SUCCESSOR_HISTORY_SHORT")))
        .as(world.printed)
        .isZero();
    assertThat(world.run(LATER, release(world, "--dry-run", "--accept", "NOT_SUPERSEDED")))
        .isEqualTo(2);
  }

  @Test
  void aStuckBatchOrDamageOfTheSuccessorKeepsTheOldOne() throws IOException {
    world.plan("chk/v2", 7, LATER.minusSeconds(60));
    assertThat(world.run(LATER, release(world, "--dry-run"))).as(world.printed).isZero();
    world.touch("chk/v2/offsets/7", LATER.minus(Duration.ofHours(2)));
    refused("SUCCESSOR_NOT_PROVEN");
    Files.writeString(directory.resolve("chk/v2/offsets/7"), "");
    world.touch("chk/v2/offsets/7", LATER);
    refused("SUCCESSOR_NOT_PROVEN");
  }

  @Test
  void aSuccessorThatIsGoneOrAnotherKeepsTheOldOne() throws IOException {
    Files.writeString(directory.resolve("chk/v2/metadata"), "{\"id\":\"another\"}");
    refused("SUCCESSOR_NOT_PROVEN");
    Files.move(directory.resolve("chk/v2"), directory.resolve("chk/v3"));
    refused("SUCCESSOR_NOT_PROVEN");
  }

  @Test
  void whatIsNotSupersededStays() throws IOException {
    world.checkpoint("chk/other");
    String other = world.root + "/chk/other";
    JsonNode made = world.json(0, LATER, "archive", other, "--to", "archive");
    String file = made.get("archive").asText();
    JsonNode json =
        world.json(
            3,
            LATER,
            "release",
            other,
            "--archive",
            file,
            "--plan",
            "plan.yaml",
            "--clean-for",
            "7d",
            "--confirm",
            "other");
    assertThat(json.get("findings").findValuesAsText("code")).containsExactly("NOT_SUPERSEDED");
    assertThat(world.run(LATER, "release", other, "--archive", file, "--confirm", "other"))
        .isEqualTo(2);
    assertThat(world.printed).contains("--clean-for");
    assertThat(
            world.run(
                LATER,
                "release",
                other,
                "--archive",
                file,
                "--journal",
                "nowhere",
                "--clean-for",
                "7d"))
        .isEqualTo(2);
    assertThat(world.run(LATER, "rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST"))
        .as(world.printed)
        .isZero();
    refused("NOT_SUPERSEDED");
  }

  @Test
  void anArchiveOfAnotherStateOrADamagedOneIsNotEnough() throws IOException {
    Path file = Path.of(archive.substring("file:".length()));
    byte[] bytes = Files.readAllBytes(file);
    byte[] damaged = bytes.clone();
    damaged[damaged.length / 2] ^= 1;
    Files.write(file, damaged);
    refused("ARCHIVE_NOT_CURRENT");
    Files.write(file, bytes);
    world.checkpoint("chk/other");
    String right = archive;
    archive =
        world.json(0, LATER, "archive", "chk/other", "--to", "archive").get("archive").asText();
    refused("ARCHIVE_NOT_CURRENT");
    archive = right;
    // The same size and time, other bytes.
    Path old = directory.resolve(OLD + "/commits/1");
    Files.writeString(
        old, Files.readString(old).replace("MarkMs\":0", "MarkMs\":1").replace("0}", "1}"));
    world.touch(OLD + "/commits/1", ArchivalWorld.END.minusSeconds(60));
    refused("ARCHIVE_NOT_CURRENT");
  }

  @Test
  void anOldQueryThatWentOnIsNoticedAlsoWhenItWasArchivedAnew() throws IOException {
    world.batch(OLD, 3, ArchivalWorld.END.plusSeconds(90));
    refused("ARCHIVE_NOT_CURRENT");
    archive =
        world
            .json(0, LATER, "archive", directory.resolve(OLD).toString(), "--to", "archive")
            .get("archive")
            .asText();
    refused("OLD_CHECKPOINT_GROWS");
  }

  @Test
  void anArchiveThatNobodyKeepsAnyMoreIsNotEnough() throws IOException {
    String old = directory.resolve(OLD).toString();
    world.json(0, LATER, "archive", old, "--to", "archive", "--keep-until", "2026-01-30");
    refused("ARCHIVE_RETENTION_ENDED");
    world.json(0, LATER, "archive", old, "--to", "archive", "--keep-until", "2026-01-31");
    JsonNode dry = world.json(0, LATER, release(world, "--dry-run"));
    assertThat(dry.get("keepUntil").asText()).isEqualTo("2026-01-31");
    // It is never moved to an earlier day.
    JsonNode earlier =
        world.json(0, LATER, "archive", old, "--to", "archive", "--keep-until", "2026-01-02");
    assertThat(earlier.get("keepUntil").asText()).isEqualTo("2026-01-31");
  }

  @Test
  void linksNestedCheckpointsAndRootsAreRefused() throws IOException {
    Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve(OLD));
    assertThat(
            world.run(
                LATER,
                "release",
                link.toString(),
                "--archive",
                archive,
                "--plan",
                "plan.yaml",
                "--clean-for",
                "7d",
                "--confirm",
                "link"))
        .isEqualTo(3);
    assertThat(world.printed).contains("LINKED_PLACE");
    assertThat(
            world.run(
                LATER,
                "release",
                "/",
                "--archive",
                archive,
                "--plan",
                "plan.yaml",
                "--clean-for",
                "7d",
                "--confirm",
                ""))
        .isEqualTo(3);
    assertThat(
            world.run(
                LATER,
                "release",
                directory.toString(),
                "--archive",
                archive,
                "--plan",
                "plan.yaml",
                "--clean-for",
                "7d",
                "--confirm",
                directory.getFileName().toString()))
        .isEqualTo(3);
    assertThat(world.printed).contains("TARGET_INSIDE_SOURCE");
    assertThat(directory.resolve(OLD)).isNotEmptyDirectory();
    Files.createSymbolicLink(directory.resolve(OLD + "/sources"), directory.resolve("archive"));
    refused("LINKED_PLACE");
    Files.delete(directory.resolve(OLD + "/sources"));
    world.checkpoint(OLD + "/inner");
    archive =
        world
            .json(0, LATER, "archive", directory.resolve(OLD).toString(), "--to", "archive")
            .get("archive")
            .asText();
    refused("NESTED_CHECKPOINT");
  }

  @Test
  void anOperatorAtWorkKeepsIt() throws IOException {
    Files.createDirectories(directory.resolve("chk/.v2.migrator-lock"));
    Files.writeString(
        directory.resolve("chk/.v2.migrator-lock/0123456789ab-1-1-0123456789ab.claim.json"), "{}");
    refused("ACTIVE_RUN");
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER", "TORN"})
  void aCrashAnywhereIsFinishedByARerunOnADisk(FaultStore.Fault fault) throws IOException {
    crashEverywhere(fault, false);
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER"})
  void aCrashAnywhereIsFinishedByARerunInAnObjectStore(FaultStore.Fault fault) throws IOException {
    crashEverywhere(fault, true);
  }

  private void crashEverywhere(FaultStore.Fault fault, boolean objects) throws IOException {
    ArchivalWorld first = fresh(0, objects);
    FaultStore counting = FaultStore.counting(first.store);
    assertThat(first.run(counting, LATER, release(first, "--confirm", "orders v1%20ü"))).isZero();
    assertThat(counting.calls()).isGreaterThan(40);
    // A call that writes nothing is not torn: it would be as BEFORE.
    for (int call :
        fault == FaultStore.Fault.TORN
            ? FaultSample.of(counting.writes(), SAMPLE)
            : FaultSample.between(1, counting.calls(), SAMPLE)) {
      ArchivalWorld at = fresh(call, objects);
      Map<String, String> before = at.files("");
      FaultStore crashing = FaultStore.crashingAt(call, fault, at.store);
      int code = at.run(crashing, LATER, release(at, "--confirm", "orders v1%20ü"));
      assertThat(code).as("call " + call + ": " + at.printed).isNotZero();
      Map<String, String> half = at.files(OLD);
      boolean startable =
          half.containsKey("offsets/2") && half.containsKey("offsets/1") && half.size() > 2;
      boolean whole = half.values().stream().filter(text -> !text.isEmpty()).count() == 7;
      assertThat(startable).as("call " + call + " " + half.keySet()).isEqualTo(whole);
      int again = at.run(LATER, release(at, "--confirm", "orders v1%20ü"));
      assertThat(again).as("call " + call + ": " + at.printed).isZero();
      Map<String, String> after = at.files("");
      after.keySet().removeIf(path -> path.contains("migrator-release-"));
      before.keySet().removeIf(path -> path.startsWith(OLD));
      assertThat(after).as("call " + call).isEqualTo(before);
    }
  }

  private ArchivalWorld fresh(int call, boolean objects) throws IOException {
    ArchivalWorld at =
        objects
            ? new ArchivalWorld(
                directory,
                new MemoryObjectStore(MIGRATED),
                Location.parse("s3a://bucket/w", directory))
            : new ArchivalWorld(
                directory,
                world.store,
                Location.of(Files.createDirectories(directory.resolve("at" + call))));
    migrate(at, Duration.ofDays(9));
    // A store that sets no times has seen this in seconds.
    Files.writeString(
        directory.resolve("plan.yaml"),
        Files.readString(directory.resolve("plan.yaml"))
            .replace("releaseAfter: 7d", objects ? "releaseAfter: 3s" : "releaseAfter: 7d"));
    return at;
  }

  @Test
  void anApplyThatDiedBeforeItSaidThatItIsDoneSaysSoWhenItIsRunAgain() throws IOException {
    List<Path> journal;
    try (Stream<Path> files = Files.list(directory.resolve("ops/move"))) {
      journal = files.sorted().toList();
    }
    Path last = journal.get(journal.size() - 1);
    assertThat(last).content().contains("finished");
    Files.delete(last);
    refused("NOT_SUPERSEDED");
    assertThat(world.run(MIGRATED, "apply", "plan.yaml")).as(world.printed).isZero();
    assertThat(last).content().contains("finished");
    assertThat(world.run(LATER, release(world, "--dry-run"))).as(world.printed).isZero();
    Map<String, String> before = world.files("");
    assertThat(world.run(LATER, "apply", "plan.yaml")).as(world.printed).isZero();
    assertThat(world.files("")).isEqualTo(before);
  }

  @Test
  void aReleasedCheckpointCannotBeRolledBackTo() throws IOException {
    assertThat(world.run(LATER, release(world, "--confirm", "orders v1%20ü"))).isZero();
    Map<String, String> before = world.files("chk");
    String[] rollback = {"rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST"};
    assertThat(world.run(LATER, rollback)).as(world.printed).isEqualTo(3);
    assertThat(world.printed).contains("not there any more");
    assertThat(world.files("chk")).isEqualTo(before);
    assertThat(world.run(LATER, "restore", archive, "--to", OLD)).as(world.printed).isZero();
    assertThat(world.run(LATER, rollback)).as(world.printed).isZero();
    assertThat(directory.resolve("chk/v2")).doesNotExist();
    assertThat(directory.resolve(OLD)).isNotEmptyDirectory();
  }

  @Test
  void aRollbackBetweenTheChecksAndTheDeletionKeepsTheOldOne() throws IOException {
    Store meanwhile =
        new Meanwhile(
            world.store,
            () -> {
              String[] rollback = {"rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST"};
              assertThat(world.run(LATER, rollback)).as(world.printed).isZero();
            });
    Map<String, String> before = world.files(OLD);
    String[] release = release(world, "--confirm", "orders v1%20ü");
    assertThat(world.run(meanwhile, LATER, release)).as(world.printed).isEqualTo(3);
    assertThat(world.printed).contains("NOT_SUPERSEDED");
    assertThat(directory.resolve("chk/v2")).doesNotExist();
    assertThat(world.files(OLD)).isEqualTo(before);
  }

  /** Does something once, when the lock of what is released is taken. */
  private static final class Meanwhile extends ForwardingStore {
    private Action action;

    private interface Action {
      void run() throws IOException;
    }

    Meanwhile(Store store, Action action) {
      super(store);
      this.action = action;
    }

    @Override
    public Receipt write(Location file, Content content, Optional<Instant> modified)
        throws IOException {
      if (action != null && file.toString().contains(".migrator-lock")) {
        Action now = action;
        action = null;
        now.run();
      }
      return super.write(file, content, modified);
    }
  }

  /** A store that goes away once a release has begun, or has moved what it deletes. */
  private static final class Stopping extends ForwardingStore {
    private Stopping(Store store) {
      super(store);
    }

    @Override
    public Receipt write(Location file, Content content, Optional<Instant> modified)
        throws IOException {
      Receipt receipt = super.write(file, content, modified);
      if (file.name().contains("migrator-release-")) {
        throw new IOException("the store is gone");
      }
      return receipt;
    }

    @Override
    public void publish(Location staged, Location target) throws IOException {
      super.publish(staged, target);
      if (target.name().endsWith("migrator-staging")) {
        throw new IOException("the store is gone");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void thatItWasBegunIsNoReasonToDeleteWhatStandsThere(boolean objects) throws IOException {
    ArchivalWorld at = fresh(1, objects);
    Store stopping = new Stopping(at.store);
    assertThat(at.run(stopping, LATER, release(at, "--confirm", "orders v1%20ü"))).isEqualTo(5);
    assertThat(at.files("").keySet()).anyMatch(path -> path.contains("migrator-release-"));
    at.store.delete(at.root.child(OLD + "/commits/0"));
    Map<String, String> before = at.files(OLD);
    JsonNode json = at.json(3, LATER, release(at, "--confirm", "orders v1%20ü"));
    assertThat(json.get("findings").findValuesAsText("code"))
        .contains("ARCHIVE_NOT_CURRENT", "OLD_CHECKPOINT_GROWS");
    assertThat(at.files(OLD)).isEqualTo(before);
  }

  @Test
  void aSecondReleaseOfTheSameStateIsFinishedByARerunToo() throws IOException {
    ArchivalWorld at = fresh(1, false);
    String[] release = release(at, "--confirm", "orders v1%20ü");
    assertThat(at.run(LATER, release)).as(at.printed).isZero();
    String old = at.root.child(OLD).toString();
    assertThat(at.run(LATER, "restore", archive, "--to", old)).as(at.printed).isZero();
    assertThat(at.run(new Stopping(at.store), LATER, release)).isEqualTo(5);
    assertThat(at.run(new Stopping(at.store), LATER, release)).isEqualTo(5);
    assertThat(at.store.stat(at.root.child(OLD))).isEmpty();
    Location staging = CheckpointWriter.stagingFor(at.root.child(OLD));
    at.write(staging.relativeTo(at.root) + "/precious", "mine", LATER);
    JsonNode json = at.json(3, LATER, release);
    assertThat(json.get("findings").findValuesAsText("message").toString())
        .contains("migrator-staging", "precious");
    at.store.delete(staging.child("precious"));
    assertThat(at.run(LATER, release)).as(at.printed).isZero();
    assertThat(at.store.stat(staging)).isEmpty();
  }

  @Test
  void aRerunDeletesNothingThatCameMeanwhile() throws IOException {
    ArchivalWorld objects =
        new ArchivalWorld(
            directory,
            new MemoryObjectStore(MIGRATED),
            Location.parse("s3a://bucket/w", directory));
    migrate(objects, Duration.ofDays(9));
    Files.writeString(
        directory.resolve("plan.yaml"),
        Files.readString(directory.resolve("plan.yaml")).replace("7d", "3s"));
    int call = 1;
    while (true) {
      FaultStore crashing = FaultStore.crashingAt(call++, FaultStore.Fault.BEFORE, objects.store);
      objects.run(crashing, LATER, release(objects, "--confirm", "orders v1%20ü"));
      if (objects.files(OLD).size() < 9) {
        break;
      }
    }
    Map<String, String> half = objects.files(OLD);
    Store meanwhile =
        new Meanwhile(
            objects.store, () -> objects.write(OLD + "/offsets/9", "a query started here", LATER));
    String[] again = release(objects, "--confirm", "orders v1%20ü");
    assertThat(objects.run(meanwhile, LATER, again)).as(objects.printed).isEqualTo(3);
    assertThat(objects.files(OLD).keySet()).containsAll(half.keySet()).contains("offsets/9");
    Map<String, String> before = objects.files("");
    JsonNode json = objects.json(3, LATER, release(objects, "--confirm", "orders v1%20ü"));
    assertThat(json.get("findings").findValuesAsText("code")).contains("ARCHIVE_NOT_CURRENT");
    assertThat(objects.files("")).isEqualTo(before);
  }
}
