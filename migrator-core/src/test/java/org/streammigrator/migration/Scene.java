package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A plan and what it needs to be there: for each plan of {@code plans/} that can be applied, and
 * for the demo's.
 *
 * @param name the name of the plan's file
 * @param plan where it is
 * @param arguments what follows the plan on the command line
 * @param targets where it writes a checkpoint, and the log of a sink; each must be whole or of no
 *     use at any moment
 * @param setting what it needs
 */
record Scene(
    String name, Path plan, List<String> arguments, List<String> targets, Setting setting) {
  private static final Path FIXTURES = Path.of("../src-test-fixtures");
  private static final Path PLANS = Path.of("../plans");
  private static final Instant TIME = Instant.parse("2026-03-27T09:20:00.123Z");
  private static final int BATCHES = 4;

  /** The plan's text, with a directory of the test in place of the root. */
  String text(Path directory) throws IOException {
    return Files.readString(plan).replaceAll("([ {\"])/(chk|new|lake)/", "$1" + directory + "/$2/");
  }

  /** Whether it writes what is written at local places only. */
  boolean localOnly() {
    return targets.size() > 1 && targets.get(1).endsWith("/_spark_metadata");
  }

  /** What is there before the plan is applied. */
  interface Setting {
    void build(Store store, Path directory) throws IOException;
  }

  /** The plans of {@code plans/} that cannot be applied, with the reason. */
  static final Map<String, String> NOT_APPLICABLE =
      Map.of(
          "workspaces.yaml", "it needs two workspaces; JobsCrashTest crashes it at every call",
          "fleet.yaml", "a template; FleetTemplatesTest applies such ones",
          "rehearse.yaml", "what it says besides relocate.yaml is for rehearse, not for apply",
          "backfill.yaml", "its jobs need Spark; BackfillApplyTest crashes it at every write",
          "replay.yaml",
              "it looks into the table's data; ReplayApplyTest crashes it at every write");

  /** Every scene, by the name of its plan's file. */
  static List<Scene> all() {
    return List.of(relocate(), seed(), movedFiles(), rewind(), demo());
  }

  /** Two streams, one of them with state, both archived first. */
  static Scene demo() {
    return new Scene(
        "demo",
        FIXTURES.resolve("demo/plan.yaml"),
        List.of(),
        List.of("checkpoints/orders_bronze_v2", "checkpoints/orders_5min_v2"),
        (store, directory) -> {
          put(store, FIXTURES.resolve("demo/checkpoints"), at(directory, "checkpoints"));
          putTable(store, FIXTURES.resolve("demo/lake"), at(directory, "lake"));
        });
  }

  private static Scene relocate() {
    String container = "abfss://old@lake.dfs.core.windows.net/";
    return new Scene(
        "relocate.yaml",
        PLANS.resolve("relocate.yaml"),
        List.of(),
        List.of("abfss://new@lake.dfs.core.windows.net/checkpoints/orders"),
        (store, directory) ->
            putFileQuery(
                store,
                at(container + "checkpoints/orders"),
                List.of(container + "landing"),
                Optional.empty()));
  }

  private static Scene seed() {
    Path fixture = FIXTURES.resolve("checkpoints/delta-version-boundary");
    return new Scene(
        "seed.yaml",
        PLANS.resolve("seed.yaml"),
        List.of("--var", "env=prod"),
        List.of("chk/orders_bronze_v2"),
        (store, directory) -> {
          put(store, fixture.resolve("checkpoint"), at(directory, "chk/orders_bronze_v1"));
          putTable(store, fixture.resolve("source"), at(directory, "lake/raw/orders"));
          putTable(store, fixture.resolve("sink"), at(directory, "lake/prod/bronze/orders"));
        });
  }

  private static Scene rewind() {
    Path fixture = FIXTURES.resolve("checkpoints/delta-version-boundary");
    return new Scene(
        "rewind.yaml",
        PLANS.resolve("rewind.yaml"),
        List.of(),
        List.of("chk/orders_bronze_rewound"),
        (store, directory) -> {
          put(store, fixture.resolve("checkpoint"), at(directory, "chk/orders_bronze"));
          putTable(store, fixture.resolve("source"), at(directory, "lake/raw/orders"));
          putTable(store, fixture.resolve("sink"), at(directory, "lake/bronze/orders"));
        });
  }

  private static Scene movedFiles() {
    return new Scene(
        "moved-files.yaml",
        PLANS.resolve("moved-files.yaml"),
        List.of(),
        List.of("new/chk/landing", "new/lake/landing/_spark_metadata"),
        (store, directory) -> {
          putFileQuery(
              store,
              at(directory, "chk/landing"),
              List.of("hdfs://nn/landing", "hdfs://nn/my%20input"),
              Optional.of(at(directory, "lake/landing")));
          for (int batch = 0; batch < BATCHES; batch++) {
            put(store, at(directory, "new/lake/landing/dt=" + batch + "/part 0.parquet"), "rows");
          }
        });
  }

  /** The checkpoint of a query that read files, with compacted logs, and the log of its sink. */
  private static void putFileQuery(
      Store store, Location checkpoint, List<String> inputs, Optional<Location> sink)
      throws IOException {
    put(store, checkpoint.child("metadata"), "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    List<String> read = new ArrayList<>();
    List<String> wrote = new ArrayList<>();
    for (int batch = 0; batch < BATCHES; batch++) {
      put(
          store,
          checkpoint.child("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n{\"logOffset\":"
              + batch
              + "}");
      put(store, checkpoint.child("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":0}");
      String input = inputs.get(batch % inputs.size());
      read.add(
          "{\"path\":\"%s/é %%2525/%d.json\",\"timestamp\":1,\"batchId\":%2$d}"
              .formatted(input, batch));
      putLog(store, checkpoint.child("sources/0"), batch, read);
      if (sink.isPresent()) {
        wrote.add(
            "{\"path\":\"file://%s/dt=%d/part%%200.parquet\",\"size\":4,\"action\":\"add\"}"
                .formatted(sink.get().path(), batch));
        putLog(store, sink.get().child("_spark_metadata"), batch, wrote);
        put(store, sink.get().child("dt=" + batch + "/part 0.parquet"), "rows");
      }
    }
  }

  /** A log that is compacted at batch 2; the file of the last batch has a checksum. */
  private static void putLog(Store store, Location log, int batch, List<String> lines)
      throws IOException {
    put(store, log.child("" + batch), "v1\n" + lines.get(batch));
    if (batch == 2) {
      put(store, log.child("2.compact"), "v1\n" + String.join("\n", lines));
    }
    if (batch == BATCHES - 1) {
      byte[] crc = HadoopCrc.of(store.readAll(log.child("" + batch)));
      store.write(log.child("." + batch + ".crc"), Content.of(crc), Optional.of(TIME));
    }
  }

  private static void put(Store store, Location file, String text) throws IOException {
    store.write(file, Content.of(text.getBytes(UTF_8)), Optional.of(TIME));
  }

  private static void put(Store store, Path from, Location to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        store.write(
            to.child(from.relativize(file).toString()),
            Content.of(Files.readAllBytes(file)),
            Optional.of(Files.getLastModifiedTime(file).toInstant()));
      }
    }
  }

  /** A table, which is read from the local disk, past the store. */
  private static void putTable(Store store, Path from, Location to) throws IOException {
    put(store, from, to);
    if (!Files.exists(to.localPath())) {
      Trees.copy(from, Files.createDirectories(to.localPath()));
    }
  }

  private static Location at(Path directory, String place) {
    return Location.parse(place, directory);
  }

  private static Location at(String place) {
    return Location.parse(place, Path.of("/"));
  }
}
