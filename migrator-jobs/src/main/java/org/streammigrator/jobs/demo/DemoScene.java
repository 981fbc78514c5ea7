package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;

/**
 * The demo's directory: what lies where, and how it comes to the moment before the migration. By
 * then
 *
 * <ul>
 *   <li>{@code lake/raw/orders} has {@value #COMMITS} commits;
 *   <li>the stateless query died when {@value #FIRST_COMMITS} of them were there: its last
 *       committed batch and its pending one both end inside a commit, and the sink has the pending
 *       one's rows;
 *   <li>the windowed query had read those {@value #FIRST_COMMITS} commits and stopped.
 * </ul>
 *
 * @param directory the demo's own directory
 */
public record DemoScene(Path directory) {
  /** Commits that the old queries saw. */
  public static final int FIRST_COMMITS = 12;

  /** All commits: the rest arrived while the queries were down. */
  public static final int COMMITS = 16;

  /** The stateless query's pending batch. */
  public static final long BRONZE_PENDING_BATCH = 6;

  /**
   * Settings that a session for the demo needs: state snapshots soon enough that a relocated
   * checkpoint can leave old state files behind.
   */
  public static final Map<String, String> SESSION =
      Map.of(
          "spark.sql.streaming.stateStore.maintenanceInterval", "100ms",
          "spark.sql.streaming.stateStore.minDeltasForSnapshot", "3");

  /**
   * A query over a view {@code orders} that gives the rows which the stateless query's sink has.
   */
  static final String BRONZE_SQL =
      """
      select order_id, customer, product,
      cast(amount_cents / 100 as decimal(10, 2)) as amount,
      event_time, to_date(event_time) as order_date
      from orders
      """;

  /** A query over a view {@code orders} that gives the windowed query's rows. */
  static final String GOLD_SQL =
      """
      select window(event_time, '5 minutes').start as window_start,
      window(event_time, '5 minutes').end as window_end,
      product, count(*) as orders, sum(amount_cents) as total_cents
      from orders
      group by window(event_time, '5 minutes'), product
      """;

  private static final String PLAN =
      """
      # The demo's migration: one query moves as it is, the other one changed and moves.
      # Paths are relative to this file.
      version: 1
      name: demo
      defaults:
        archive: {to: archive, format: tar.zst}
      streams:
        # A column was added, so this query needs a new checkpoint: at exactly the old position,
        # which lies inside a commit, where no starting option can point.
        - name: orders_bronze
          strategy: seed
          checkpoint: {from: checkpoints/orders_bronze_v1, to: checkpoints/orders_bronze_v2}
          identity: keep
          sources: [{delta: lake/raw/orders, eventTime: event_time}]
          sink: {delta: lake/bronze/orders, keys: [order_id]}
          changes: [{kind: projection, detail: "column order_size added"}]
          checks:
            counts: error
            sql: >-
      %s
        # The same query at a new place: state, query id and batch numbers go along.
        - name: orders_5min
          strategy: relocate
          copy: live
          checkpoint: {from: checkpoints/orders_5min_v1, to: checkpoints/orders_5min_v2}
          sources: [{delta: lake/raw/orders, eventTime: event_time}]
          sink: {delta: lake/gold/orders_5min}
          checks:
            counts: error
            sql: >-
      %s
            window: {column: window_start, size: 5m}
      """
          .formatted(BRONZE_SQL.indent(8).stripTrailing(), GOLD_SQL.indent(8).stripTrailing());

  public DemoScene {
    requireNonNull(directory, "directory");
  }

  public DemoLake lake() {
    return DemoLake.at(directory.resolve("lake"));
  }

  public Path plan() {
    return directory.resolve("plan.yaml");
  }

  public Path oldBronze() {
    return directory.resolve("checkpoints/orders_bronze_v1");
  }

  public Path newBronze() {
    return directory.resolve("checkpoints/orders_bronze_v2");
  }

  public Path oldGold() {
    return directory.resolve("checkpoints/orders_5min_v1");
  }

  public Path newGold() {
    return directory.resolve("checkpoints/orders_5min_v2");
  }

  public Path archive() {
    return directory.resolve("archive");
  }

  /** Where Spark's warnings go. */
  public Path sparkLog() {
    return directory.resolve("spark.log");
  }

  /** What the contrast leaves behind: a copy of the sink, and the checkpoint started beside it. */
  public Path plusOne() {
    return directory.resolve("scratch/plus-one");
  }

  /** The same of the other way round, and the spec of the job that heals it. */
  public Path overlap() {
    return directory.resolve("scratch/overlap");
  }

  /** The same of the windowed query. */
  public Path straddling() {
    return directory.resolve("scratch/straddling");
  }

  /** The windowed query with one aggregate more: a copy of the sink, a plan and checkpoints. */
  public Path rebuilt() {
    return directory.resolve("scratch/rebuilt");
  }

  /** Copies both sinks for the contrasts, as the old queries left them. */
  public void copySinks() throws IOException {
    copy(lake().bronzeOrders(), plusOne().resolve("bronze_orders"));
    copy(lake().bronzeOrders(), overlap().resolve("bronze_orders"));
    copy(lake().goldOrders(), straddling().resolve("orders_5min"));
    copy(lake().goldOrders(), rebuilt().resolve("orders_5min"));
  }

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        Path copy = to.resolve(from.relativize(path).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(path, copy);
      }
    }
  }

  /** The page that says where what lies. */
  public Path readme() {
    return directory.resolve("README.md");
  }

  /** Writes the commits that the old queries saw. */
  public void writeFirstCommits(SparkSession spark) {
    lake().write(spark, 0, FIRST_COMMITS);
  }

  /** Runs the old stateless query until it dies with a pending batch whose rows are in the sink. */
  public void runOldBronze(SparkSession spark) {
    new DemoStreams(spark, lake())
        .runBronze(
            oldBronze(), DemoStreams.Enrich.V1, new StopPoint.BeforeCommit(BRONZE_PENDING_BATCH));
  }

  /** Runs the old windowed query until it has read all there is. */
  public void runOldGold(SparkSession spark) {
    new DemoStreams(spark, lake()).runGold(oldGold(), new StopPoint.Drained());
  }

  /** Writes the commits that arrive while the queries are down. */
  public void writeLaterCommits(SparkSession spark) {
    lake().write(spark, FIRST_COMMITS, COMMITS);
  }

  /** Writes the plan file. */
  public void writePlan() {
    try {
      Files.createDirectories(directory);
      Files.writeString(plan(), PLAN, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + plan(), e);
    }
  }

  /** Runs the changed stateless query from its new checkpoint until it has read all there is. */
  public void runNewBronze(SparkSession spark) {
    new DemoStreams(spark, lake())
        .runBronze(newBronze(), DemoStreams.Enrich.V2, new StopPoint.Drained());
  }

  /** Runs the windowed query from its new checkpoint until it has read all there is. */
  public void runNewGold(SparkSession spark) {
    new DemoStreams(spark, lake()).runGold(newGold(), new StopPoint.Drained());
  }
}
