package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.jobs.SessionJobRunner;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * The demo's story, told while it happens: two streams, a change, a migration and its proof.
 *
 * @param scene where it takes place
 * @param narrator who tells it
 */
record DemoStory(DemoScene scene, Narrator narrator) {
  private static final int PROVED = 0;
  private static final int OFF = 6;
  private static final int SOMETHING_TO_DO = 10;

  DemoStory {
    requireNonNull(scene, "scene");
    requireNonNull(narrator, "narrator");
  }

  /** Tells all of it. Returns 0 if the migration is proved, 6 if anything is off. */
  int tell() throws Exception {
    narrator.plain("Two real streams move to new checkpoints, and nothing is lost or repeated.");
    narrator.plain("Everything is in " + scene.directory());
    SparkSession spark =
        narrator.step(
            "Start Spark",
            () -> {
              SparkSession opened = LocalSpark.open("migrator demo", DemoScene.SESSION);
              narrator.say("Spark " + opened.version() + " with Delta, in this process");
              return opened;
            });
    return migrate(spark, new MigratorCommands(new SessionJobRunner(spark)));
  }

  private int migrate(SparkSession spark, MigratorCommands migrator) throws Exception {
    narrator.step(
        "Build a small lake",
        () -> {
          scene.writeFirstCommits(spark);
          narrator.say(
              """
              lake/raw/orders: %d commits of %d files; event times out of order, some rows twice"""
                  .formatted(DemoScene.FIRST_COMMITS, DemoLake.FILES_PER_COMMIT));
          return null;
        });
    narrator.step(
        "Run two streams on it",
        () -> {
          scene.runOldBronze(spark);
          narrator.say(
              """
              orders_bronze  raw/orders -> bronze/orders, stateless, %d files per batch
                             died in batch %d: planned, not committed, its rows already in the sink;
                             it stands at %s: inside a commit"""
                  .formatted(
                      DemoStreams.BRONZE_FILES_PER_BATCH,
                      DemoScene.BRONZE_PENDING_BATCH,
                      position(scene.oldBronze())));
          scene.runOldGold(spark);
          narrator.say(
              """
              orders_5min    raw/orders -> gold/orders_5min, sums per 5 minutes, with state
                             stopped; it stands at %s"""
                  .formatted(position(scene.oldGold())));
          return null;
        });
    narrator.step(
        "More orders arrive while both are down",
        () -> {
          scene.writeLaterCommits(spark);
          narrator.say(
              "%d commits more, %d now"
                  .formatted(DemoScene.COMMITS - DemoScene.FIRST_COMMITS, DemoScene.COMMITS));
          scene.copySinks();
          return null;
        });
    boolean ok =
        narrator.step(
            "Plan: orders_bronze gets a column, so it needs a new checkpoint; orders_5min moves",
            () -> {
              scene.writePlan();
              return command(migrator, SOMETHING_TO_DO, "plan", "--detailed-exitcode", planFile());
            });
    ok = ok && narrator.step("Apply", () -> command(migrator, 0, "apply", planFile()));
    if (!ok) {
      return off("the plan was not applied");
    }
    narrator.step(
        "Restart both from their new checkpoints, until the source is drained",
        () -> {
          scene.runNewBronze(spark);
          narrator.say("orders_bronze  stands at " + position(scene.newBronze()));
          scene.runNewGold(spark);
          narrator.say("orders_5min    stands at " + position(scene.newGold()));
          return null;
        });
    ok =
        narrator.step(
            "Prove: the ledger, and the sinks against a recomputation",
            () -> command(migrator, 0, "prove", planFile()));
    if (!ok) {
      return off("the migration is not proved");
    }
    PlusOne plusOne =
        narrator.step(
            "For contrast, on a copy: \"start at reservoirVersion + 1\", as runbooks have it",
            () -> {
              PlusOne measured = PlusOne.measure(spark, scene);
              narrator.say(
                  """
                  startingVersion %d on a new checkpoint, until the source was drained:
                  %,d rows lost, %,d repeated; the migration above lost none"""
                      .formatted(measured.startingVersion(), measured.lost(), measured.repeated()));
              return measured;
            });
    if (plusOne.lost() == 0) {
      return off("the contrast lost nothing, so it shows nothing");
    }
    Overlap overlap = overlap(spark);
    if (overlap.repeated() == 0 || overlap.left() > 0 || overlap.missing() > 0) {
      return off("the overlap shows nothing, or was not healed");
    }
    Straddling straddling = straddling(spark);
    if (straddling.wrong() == 0 || straddling.left() > 0) {
      return off("the straddling windows show nothing, or were not healed");
    }
    Rebuilt rebuilt = rebuilt(spark, migrator);
    if (rebuilt.error().isEmpty()
        || rebuilt.wrong() + rebuilt.newWrong() > 0
        || rebuilt.newWindows() == 0) {
      return off("the windows with one aggregate more are not what a recomputation gives");
    }
    return end(migrator, plusOne);
  }

  private Overlap overlap(SparkSession spark) throws Exception {
    return narrator.step(
        "The same at reservoirVersion itself: an overlap, removed by the job dedup",
        () -> {
          Overlap measured = Overlap.measure(spark, scene);
          narrator.say(
              """
              startingVersion %d reads again what the sink had: %,d rows too many
              after dedup on order_id (%s): %,d too many, %,d orders missing"""
                  .formatted(
                      measured.startingVersion(),
                      measured.repeated(),
                      scene.directory().relativize(measured.spec()),
                      measured.left(),
                      measured.missing()));
          return measured;
        });
  }

  private Straddling straddling(SparkSession spark) throws Exception {
    return narrator.step(
        "The windowed query begun anew: windows in halves, made whole by the job backfill",
        () -> {
          Straddling measured = Straddling.measure(spark, scene);
          narrator.say(
              """
              startingVersion %d with empty state: %,d totals of ended windows wrong or missing
              after backfill (%s): %,d"""
                  .formatted(
                      measured.startingVersion(),
                      measured.wrong(),
                      scene.directory().relativize(measured.spec()),
                      measured.left()));
          return measured;
        });
  }

  private Rebuilt rebuilt(SparkSession spark, MigratorCommands migrator) throws Exception {
    return narrator.step(
        "The windowed query with one aggregate more: its old state does not fit; replay",
        () -> {
          String error = Rebuilt.refused(spark, scene);
          narrator.say("on a copy of the old checkpoint Spark says " + error);
          if (!command(migrator, 0, "apply", Rebuilt.plan(scene).toString())) {
            return new Rebuilt("", 0, 0, 0, 0);
          }
          Rebuilt measured = Rebuilt.measure(spark, scene, error);
          narrator.say(
              """
              started from what the plan wrote: %,d totals of ended windows, %,d wrong or missing;
              %,d of them have the new aggregate, %,d a wrong one"""
                  .formatted(
                      measured.windows(),
                      measured.wrong(),
                      measured.newWindows(),
                      measured.newWrong()));
          return measured;
        });
  }

  private int end(MigratorCommands migrator, PlusOne plusOne) throws IOException {
    Files.writeString(scene.readme(), readme(plusOne));
    List<List<String>> next =
        List.of(
            List.of("inspect", scene.oldBronze().toString()),
            List.of("resume", scene.newGold().toString()),
            List.of("verify", archiveOf("orders_bronze").toString()));
    for (List<String> command : next) {
      int exit = migrator.run(command.toArray(String[]::new)).exit();
      if (exit != 0) {
        return off("migrator %s ends with %d".formatted(String.join(" ", command), exit));
      }
    }
    narrator.plain("");
    narrator.plain("Done in %s. Where what lies: %s".formatted(narrator.total(), scene.readme()));
    narrator.plain("Try next:");
    String migratorCommand =
        Objects.requireNonNullElse(System.getenv("MIGRATOR_COMMAND"), "./migrator");
    for (List<String> command : next) {
      narrator.plain(
          "  %s %s"
              .formatted(
                  shell(migratorCommand),
                  String.join(" ", command.stream().map(this::shell).toList())));
    }
    return PROVED;
  }

  private boolean command(MigratorCommands migrator, int expected, String... arguments) {
    narrator.say("$ migrator " + String.join(" ", Stream.of(arguments).map(this::shell).toList()));
    MigratorCommands.Outcome outcome = migrator.run(arguments);
    narrator.say(outcome.text().stripTrailing());
    if (outcome.exit() != expected) {
      narrator.say("exit code %d, expected %d".formatted(outcome.exit(), expected));
      return false;
    }
    return true;
  }

  private int off(String what) {
    narrator.plain("");
    narrator.plain("Something is off: " + what + ". Everything is left in " + scene.directory());
    return OFF;
  }

  private String planFile() {
    return scene.plan().toString();
  }

  private Path archiveOf(String stream) throws IOException {
    try (Stream<Path> files = Files.walk(scene.archive())) {
      return files
          .filter(file -> file.getFileName().toString().startsWith(stream))
          .filter(file -> file.getFileName().toString().endsWith(".tar.zst"))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException("no archive of " + stream + " in " + scene.archive()));
    }
  }

  private String shell(String word) {
    return word.matches("[A-Za-z0-9_./:=@%+,-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** The place where the newest committed batch ends, in words. */
  private static String position(Path checkpoint) throws IOException {
    BatchEnd position = BatchEnd.newestCommitted(checkpoint);
    return "batch %d, version %d, %s"
        .formatted(
            position.batch(),
            position.version(),
            position.index() < 0 ? "none of its files" : "file " + position.index() + " done");
  }

  private static String readme(PlusOne plusOne) {
    return """
        # What the demo left here

        | where | what |
        |---|---|
        | `plan.yaml` | the plan that was applied; `migrator status plan.yaml` says how it stands |
        | `lake/raw/orders` | the source, a Delta table of %d commits |
        | `lake/bronze/orders`, `lake/gold/orders_5min` | the sinks of the two streams |
        | `checkpoints/orders_bronze_v1`, `checkpoints/orders_5min_v1` | the old checkpoints, as the old queries left them |
        | `checkpoints/orders_bronze_v2`, `checkpoints/orders_5min_v2` | the new ones, which the streams went on from |
        | `demo.journal` | what `apply` did, step by step; a rerun goes on from it |
        | `archive/` | the old checkpoints, packed with checksums: `migrator verify`, `migrator restore` |
        | `scratch/plus-one` | the contrast: a copy of the bronze sink after "reservoirVersion + 1" (version %d), %d rows short |
        | `scratch/overlap` | the same at the version itself, and `dedup.json`, the job that removed what was there twice |
        | `scratch/straddling` | the windowed query begun anew, and `backfill.json`, the job that made its halved windows whole |
        | `scratch/rebuilt` | the windowed query with one aggregate more: `plan.yaml`, a checkpoint whose first batch rebuilds the state, and a copy of the sink |
        | `spark.log` | Spark's warnings; the planned stop of the first stream is among them |

        Delete the directory when you have seen enough; nothing outside it was touched.
        """
        .formatted(DemoScene.COMMITS, plusOne.startingVersion(), plusOne.lost());
  }
}
