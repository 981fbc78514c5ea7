package org.streammigrator.jobs.dedup;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.udf;
import static org.apache.spark.sql.functions.xxhash64;

import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.HashPartitioner;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.api.java.function.PairFlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.XXH64;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

/**
 * The first look at the rows of a table, by the hash of their key alone: which files hold rows
 * whose key some other row may have, and which of their rows. Equal keys have equal hashes, so no
 * repeated key is missed. Two keys may share a hash, so what is found has to be looked at.
 *
 * @param files the files
 * @param filter hashes of those keys
 * @param rows how many rows have such a hash; of a key that many have, some
 * @param hasNullKeys whether a row that may go has a null in its key
 */
record KeyScan(Set<String> files, HashFilter filter, long rows, boolean hasNullKeys) {
  /** Rows whose hashes one task looks at. */
  private static final long BUCKET = 1 << 20;

  private static final int MOST_BUCKETS = 1 << 12;
  private static final long SEED = 42;
  private static final String FILE = "_metadata.file_path";

  /** Reads the keys of all rows of a scope, once. */
  static KeyScan of(SparkSession spark, DedupScope scope, List<StructField> keys) {
    Map<Long, Set<String>> names = new TreeMap<>();
    scope
        .files()
        .forEach(name -> names.computeIfAbsent(hash(name), none -> new HashSet<>()).add(name));
    long[] hashes = names.keySet().stream().mapToLong(Long::longValue).toArray();
    BitSet stays = new BitSet();
    for (int file = 0; file < hashes.length; file++) {
      boolean mayGo = names.get(hashes[file]).stream().anyMatch(scope::mayGo);
      stays.set(file, !mayGo);
    }
    long estimated = scope.estimatedRows(scope.files());
    int count = (int) Math.max(1, Math.min(MOST_BUCKETS, estimated / BUCKET));
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Broadcast<HashBuckets> buckets = context.broadcast(new HashBuckets(count, hashes, stays));
    HashFilter filter = HashFilter.roomFor(estimated);
    LongAccumulator nulls = spark.sparkContext().longAccumulator();
    List<long[][]> found =
        hashed(scope.all(), keys)
            .toJavaRDD()
            .mapPartitionsToPair(chunks(buckets, nulls))
            .partitionBy(new HashPartitioner(count))
            .mapPartitions(repeated(buckets, estimated))
            .collect();
    Set<String> files = new HashSet<>();
    long rows = 0;
    for (long[][] bucket : found) {
      rows += bucket[0][0];
      BitSet.valueOf(bucket[1]).stream().forEach(file -> files.addAll(names.get(hashes[file])));
      filter.add(bucket[2]);
    }
    return new KeyScan(files, filter, rows, nulls.value() > 0);
  }

  private static org.apache.spark.rdd.RDD<InternalRow> hashed(
      Dataset<Row> rows, List<StructField> keys) {
    Column isNull = lit(false);
    for (StructField key : keys) {
      isNull = isNull.or(DedupColumns.column(key).isNull());
    }
    Dataset<Row> selected = rows.select(hash(keys), xxhash64(col(FILE)), isNull);
    return ((org.apache.spark.sql.classic.Dataset<Row>) selected).queryExecution().toRdd();
  }

  private static PairFlatMapFunction<Iterator<InternalRow>, Integer, long[]> chunks(
      Broadcast<HashBuckets> buckets, LongAccumulator nulls) {
    return rows -> new HashChunks(rows, buckets.value(), nulls);
  }

  private static FlatMapFunction<Iterator<Tuple2<Integer, long[]>>, long[][]> repeated(
      Broadcast<HashBuckets> buckets, long estimated) {
    return chunks -> {
      RepeatedHashes hashes = new RepeatedHashes(buckets.value());
      chunks.forEachRemaining(chunk -> hashes.add(chunk._2()));
      return Collections.singleton(hashes.find(HashFilter.roomFor(estimated))).iterator();
    };
  }

  /** As Spark's {@code xxhash64} does it. */
  private static long hash(String text) {
    UTF8String bytes = UTF8String.fromString(text);
    return XXH64.hashUTF8String(bytes, SEED);
  }

  /**
   * The hash of a key. Columns that compare texts other than byte by byte are left out, since texts
   * that are equal there may have other hashes.
   */
  private static Column hash(List<StructField> keys) {
    Column[] hashed =
        keys.stream()
            .filter(key -> !key.dataType().sql().contains(" COLLATE "))
            .map(DedupColumns::column)
            .toArray(Column[]::new);
    return hashed.length == 0 ? lit(0L) : xxhash64(hashed);
  }

  /** Whether a row's key may be repeated. */
  Column mayBeRepeated(SparkSession spark, List<StructField> keys) {
    Broadcast<HashFilter> sent =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(filter);
    return udf((Long hash) -> sent.value().mayContain(hash), DataTypes.BooleanType)
        .apply(hash(keys));
  }
}
