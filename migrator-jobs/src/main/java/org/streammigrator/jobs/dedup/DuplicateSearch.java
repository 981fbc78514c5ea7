package org.streammigrator.jobs.dedup;

import static org.apache.spark.sql.functions.bitmap_bit_position;
import static org.apache.spark.sql.functions.bitmap_bucket_number;
import static org.apache.spark.sql.functions.bitmap_construct_agg;
import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.count_if;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.max;
import static org.apache.spark.sql.functions.rank;
import static org.apache.spark.sql.functions.row_number;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.expressions.Window;
import org.apache.spark.sql.expressions.WindowSpec;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.storage.StorageLevel;
import org.streammigrator.job.DedupResult;
import org.streammigrator.job.DedupSpec;
import org.streammigrator.job.OrderColumn;
import org.streammigrator.jobs.lake.RowPositions;
import org.streammigrator.jobs.rows.CodeGeneration;

/**
 * Finds the rows too many: the files with a key that may occur more than once, from the hashes of
 * keys alone, and only of these files all columns, since all of them decide which row stays.
 *
 * <p>The rows of a key have a total order: rows that stay in any case, the declared columns, the
 * other columns as they stand in the table, ascending, and the place of the row.
 */
final class DuplicateSearch {
  private static final int SAMPLE = 5;

  /** Bits of a bitmap of Spark's {@code bitmap_construct_agg}. */
  private static final long BITS = 8 * 4096;

  private static final String FILE = "file";
  private static final String ROW = "row";
  private static final String STAYS = "stays";
  private static final String NUMBER = "number";
  private static final String TIED = "tied";
  private static final String GOES = "goes";
  private static final String JSON = "json";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final String PARTITIONS = "spark.sql.shuffle.partitions";
  private static final long ROWS_OF_A_TASK = 20_000;

  private final SparkSession spark;
  private final DedupSpec spec;
  private final DedupScope scope;
  private final DedupColumns columns;
  private final List<String> keyNames = new ArrayList<>();

  DuplicateSearch(SparkSession spark, DedupSpec spec, DedupScope scope, DedupColumns columns) {
    this.spark = spark;
    this.spec = spec;
    this.scope = scope;
    this.columns = columns;
    for (int i = 0; i < columns.keys().size(); i++) {
      keyNames.add("k" + i);
    }
  }

  /** Keys with a null among the rows that may go; the JSON of up to five of them. */
  NullKeys nullKeys() {
    Column isNull = lit(false);
    for (StructField key : columns.keys()) {
      isNull = isNull.or(DedupColumns.column(key).isNull());
    }
    Dataset<Row> rows = scope.looked().where(isNull);
    long count = rows.count();
    return new NullKeys(
        count,
        count == 0
            ? List.of()
            : rows.select(columns.keyAsJson()).limit(SAMPLE).as(Encoders.STRING()).collectAsList());
  }

  /**
   * Rows whose key has a null.
   *
   * @param count how many
   * @param sample the keys of up to five
   */
  record NullKeys(long count, List<String> sample) {}

  /** Looks at the keys. */
  KeyScan scan() {
    return KeyScan.of(spark, scope, columns.keys());
  }

  /** Finds them among what a look at the keys has left. */
  Duplicates find(KeyScan scan) {
    if (scan.files().isEmpty()) {
      return Duplicates.NONE;
    }
    // A task for each few rows would cost more than the rows.
    String partitions = spark.conf().get(PARTITIONS);
    long enough = Math.max(1, scan.rows() / ROWS_OF_A_TASK);
    spark.conf().set(PARTITIONS, Math.min(Long.parseLong(partitions), enough));
    try {
      return CodeGeneration.unlessFew(
          spark, scope.estimatedRows(scan.files()), () -> duplicates(scan));
    } finally {
      spark.conf().set(PARTITIONS, partitions);
    }
  }

  private Duplicates duplicates(KeyScan scan) {
    Dataset<Row> ranked = ranked(scan).persist(StorageLevel.MEMORY_AND_DISK());
    try {
      return duplicates(ranked, scan.files());
    } finally {
      ranked.unpersist();
    }
  }

  private List<Column> selectedKeys() {
    List<Column> selected = new ArrayList<>();
    for (int i = 0; i < keyNames.size(); i++) {
      selected.add(DedupColumns.column(columns.keys().get(i)).as(keyNames.get(i)));
    }
    return selected;
  }

  private Column[] keyColumns() {
    return keyNames.stream().map(name -> col(name)).toArray(Column[]::new);
  }

  /** The rows of the keys with their place, and what becomes of them. */
  private Dataset<Row> ranked(KeyScan scan) {
    Dataset<Row> rows = placed(scope.looked(scan.files()), false, scan);
    if (scope.hasOlder()) {
      rows = rows.union(placed(scope.older(scan.files()), true, scan));
    }
    WindowSpec byKey = Window.partitionBy(keyColumns());
    // A window needs an order, also where none is declared.
    List<Column> declared = new ArrayList<>(List.of(lit(0).asc()));
    for (int i = 0; i < columns.order().size(); i++) {
      declared.add(sorted(col("o" + i), columns.sorts().get(i)));
    }
    List<Column> all = new ArrayList<>(declared);
    for (int i = 0; i < rest().size(); i++) {
      all.add(usual(col("c" + i)));
    }
    List<Column> total = new ArrayList<>(all);
    if (scope.hasOlder()) {
      total.add(0, col(STAYS).desc());
    }
    total.add(usual(col(FILE)));
    total.add(usual(col(ROW)));
    WindowSpec byDeclared = byKey.orderBy(declared.toArray(Column[]::new));
    WindowSpec byAll = byKey.orderBy(all.toArray(Column[]::new));
    WindowSpec byPlace = byKey.orderBy(total.toArray(Column[]::new));
    Column isTied = rank().over(byDeclared).equalTo(1).and(rank().over(byAll).gt(1));
    List<Column> kept = new ArrayList<>(List.of(keyColumns()));
    kept.addAll(List.of(col(FILE), col(ROW), col(JSON), col(NUMBER), col(TIED)));
    kept.add(col(NUMBER).gt(1).and(col(STAYS).equalTo(lit(false))).as(GOES));
    return rows.withColumn(NUMBER, row_number().over(byPlace))
        .withColumn(TIED, isTied)
        .select(kept.toArray(Column[]::new));
  }

  private Dataset<Row> placed(Dataset<Row> rows, boolean stays, KeyScan scan) {
    List<Column> selected = selectedKeys();
    for (int i = 0; i < columns.order().size(); i++) {
      selected.add(DedupColumns.column(columns.order().get(i)).as("o" + i));
    }
    List<Column> rest = rest();
    for (int i = 0; i < rest.size(); i++) {
      selected.add(rest.get(i).as("c" + i));
    }
    selected.add(col("_metadata.file_path").as(FILE));
    selected.add(col("_metadata.row_index").as(ROW));
    selected.add(columns.keyAsJson().as(JSON));
    selected.add(lit(stays).as(STAYS));
    return rows.where(scan.mayBeRepeated(spark, columns.keys()))
        .select(selected.toArray(Column[]::new));
  }

  private List<Column> rest() {
    return columns.rest().stream()
        .flatMap(field -> DedupColumns.comparable(field).stream())
        .toList();
  }

  private Column sorted(Column column, OrderColumn order) {
    boolean ascending = order.direction().equals("asc") != spec.keepsLast();
    boolean nullsFirst = order.nulls().equals("first") != spec.keepsLast();
    if (ascending) {
      return nullsFirst ? column.asc_nulls_first() : column.asc_nulls_last();
    }
    return nullsFirst ? column.desc_nulls_first() : column.desc_nulls_last();
  }

  private Column usual(Column column) {
    return spec.keepsLast() ? column.desc_nulls_last() : column.asc_nulls_first();
  }

  private Duplicates duplicates(Dataset<Row> ranked, Set<String> files) {
    Dataset<Row> perKey =
        ranked
            .groupBy(keyColumns())
            .agg(
                count(lit(1)).as(NUMBER),
                count_if(col(GOES)).as(GOES),
                max(col(TIED)).as(TIED),
                max(col(JSON)).as(JSON))
            .where(col(GOES).gt(0));
    Row totals = perKey.agg(count(lit(1)), count_if(col(TIED))).first();
    return new Duplicates(
        totals.getLong(0), totals.getLong(1), positions(ranked), files, sample(perKey));
  }

  private List<DedupResult.Sample> sample(Dataset<Row> perKey) {
    List<DedupResult.Sample> sample = new ArrayList<>();
    for (Row key :
        perKey.orderBy(keyColumns()).select(JSON, NUMBER, GOES).limit(SAMPLE).collectAsList()) {
      try {
        sample.add(
            new DedupResult.Sample(
                MAPPER.readTree(key.getString(0)), key.getLong(1), key.getLong(2)));
      } catch (JsonProcessingException impossible) {
        throw new IllegalStateException("Spark wrote JSON that is none", impossible);
      }
    }
    return sample;
  }

  /** Spark numbers buckets from 1, for values from 1. */
  private static RowPositions positions(Dataset<Row> ranked) {
    Column place = col(ROW).plus(1);
    RowPositions positions = new RowPositions();
    for (Row bucket :
        ranked
            .where(col(GOES))
            .groupBy(col(FILE), bitmap_bucket_number(place).as(NUMBER))
            .agg(bitmap_construct_agg(bitmap_bit_position(place)))
            .collectAsList()) {
      positions.add(
          bucket.getString(0),
          (bucket.getLong(1) - 1) * BITS,
          BitSet.valueOf((byte[]) bucket.get(2)));
    }
    return positions;
  }
}
