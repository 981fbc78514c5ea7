package org.streammigrator.jobs.demo;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SaveMode;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A small lake whose source table grows commit by commit. Guarantees:
 *
 * <ul>
 *   <li>The rows of commit n, and of file k within it, depend on the seed alone.
 *   <li>Every commit adds {@value #FILES_PER_COMMIT} files; file k holds the rows {@code 25k} to
 *       {@code 25k+24} of {@link #commit(int)}, and stands k-th in the commit.
 *   <li>Event times are out of order, within and across commits, by less than {@link #DISORDER}
 *       plus the six minutes that a commit spans.
 *   <li>Some rows are exact duplicates of another row of the same commit, in another file.
 * </ul>
 *
 * @param root the directory that holds {@code raw}, {@code bronze} and {@code gold}
 * @param seed decides the rows
 */
public record DemoLake(Path root, long seed) {
  /** The seed of the demo and of the committed fixtures. */
  public static final long SEED = 20260327L;

  public static final int FILES_PER_COMMIT = 4;
  public static final int ROWS_PER_FILE = 25;

  /** How far a row's event time may lie before the start of its commit's span. */
  public static final Duration DISORDER = Duration.ofMinutes(3);

  private static final Duration SPAN = Duration.ofMinutes(6);
  private static final Instant START = Instant.parse("2026-03-27T09:00:00Z");
  private static final List<String> PRODUCTS = List.of("bread", "coffee", "honey", "tea");
  private static final int ROWS_PER_COMMIT = FILES_PER_COMMIT * ROWS_PER_FILE;
  private static final int DUPLICATES_PER_COMMIT = 3;

  /** The columns of the source table. */
  public static final StructType SCHEMA =
      new StructType()
          .add("order_id", DataTypes.LongType, false)
          .add("customer", DataTypes.StringType, false)
          .add("product", DataTypes.StringType, false)
          .add("amount_cents", DataTypes.LongType, false)
          .add("event_time", DataTypes.TimestampType, false);

  public DemoLake {
    requireNonNull(root, "root");
  }

  /** The lake below a directory, with the usual seed. */
  public static DemoLake at(Path root) {
    return new DemoLake(root, SEED);
  }

  /** The source table. */
  public Path rawOrders() {
    return root.resolve("raw/orders");
  }

  /** The sink of the stateless query. */
  public Path bronzeOrders() {
    return root.resolve("bronze/orders");
  }

  /** The sink of the windowed query. */
  public Path goldOrders() {
    return root.resolve("gold/orders_5min");
  }

  /** The rows of one commit, in the order in which its files hold them. */
  public List<Order> commit(int number) {
    if (number < 0) {
      throw new IllegalArgumentException("commit number " + number + " is negative");
    }
    SplittableRandom random = new SplittableRandom(seed * 1_000_003L + number);
    Instant spanStart = START.plus(SPAN.multipliedBy(number));
    long earliest = -DISORDER.toMillis();
    List<Order> rows = new ArrayList<>(ROWS_PER_COMMIT);
    for (int i = 0; i < ROWS_PER_COMMIT; i++) {
      rows.add(
          new Order(
              (long) number * ROWS_PER_COMMIT + i + 1,
              "customer-%02d".formatted(random.nextInt(40)),
              PRODUCTS.get(random.nextInt(PRODUCTS.size())),
              random.nextLong(100, 25_100),
              spanStart.plusMillis(random.nextLong(earliest, SPAN.toMillis()))));
    }
    for (int i = 0; i < DUPLICATES_PER_COMMIT; i++) {
      int original = random.nextInt(ROWS_PER_FILE);
      int copy = (i + 1) * ROWS_PER_FILE + random.nextInt(ROWS_PER_FILE);
      rows.set(copy, rows.get(original));
    }
    return List.copyOf(rows);
  }

  /**
   * Appends commits to the source table, and makes the table with the first one. The table's
   * versions and the commits' numbers agree as long as nothing else writes to it.
   *
   * @param from the first commit to write
   * @param to the first commit not to write
   */
  public void write(SparkSession spark, int from, int to) {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    for (int number = from; number < to; number++) {
      List<Row> rows =
          commit(number).stream()
              .map(
                  order ->
                      RowFactory.create(
                          order.orderId(),
                          order.customer(),
                          order.product(),
                          order.amountCents(),
                          Timestamp.from(order.eventTime())))
              .toList();
      // parallelize slices the list evenly and in order: slice k becomes file k.
      spark
          .createDataFrame(context.parallelize(rows, FILES_PER_COMMIT), SCHEMA)
          .write()
          .format("delta")
          .mode(SaveMode.Append)
          .save(rawOrders().toString());
    }
  }
}
