package org.streammigrator.jobs.dedup;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.LongAccumulator;
import scala.Tuple2;

/**
 * Takes rows of a key's hash, a file name's hash, and whether the key has a null, and gives the
 * hashes by bucket.
 */
final class HashChunks implements Iterator<Tuple2<Integer, long[]>> {
  /** Hashes that a task holds at most, 8 MB. */
  private static final int HELD = 1 << 20;

  private static final int LARGEST = 1 << 12;

  private final Iterator<InternalRow> rows;
  private final HashBuckets buckets;
  private final LongAccumulator nullKeys;
  private final HashChunk[] chunks;
  private final Queue<Tuple2<Integer, long[]>> full = new ArrayDeque<>();
  private long fileHash;
  private int file = -1;

  HashChunks(Iterator<InternalRow> rows, HashBuckets buckets, LongAccumulator nullKeys) {
    this.rows = rows;
    this.buckets = buckets;
    this.nullKeys = nullKeys;
    this.chunks = new HashChunk[buckets.count()];
    int capacity = Math.max(1, Math.min(LARGEST, HELD / buckets.count()));
    Arrays.setAll(chunks, bucket -> new HashChunk(capacity));
  }

  @Override
  public boolean hasNext() {
    while (full.isEmpty() && rows.hasNext()) {
      add(rows.next());
      if (!rows.hasNext()) {
        for (int bucket = 0; bucket < chunks.length; bucket++) {
          flush(bucket);
        }
      }
    }
    return !full.isEmpty();
  }

  @Override
  public Tuple2<Integer, long[]> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return full.remove();
  }

  private void add(InternalRow row) {
    long hash = row.getLong(0);
    long name = row.getLong(1);
    if (file < 0 || name != fileHash) {
      fileHash = name;
      file = buckets.file(name);
    }
    if (row.getBoolean(2) && buckets.mayGo(file)) {
      nullKeys.add(1);
    }
    int bucket = buckets.bucket(hash);
    chunks[bucket].add(file, hash);
    if (chunks[bucket].isFull()) {
      flush(bucket);
    }
  }

  private void flush(int bucket) {
    if (!chunks[bucket].isEmpty()) {
      full.add(new Tuple2<>(bucket, chunks[bucket].flush()));
    }
  }
}
