package org.streammigrator.jobs.dedup;

import java.util.Arrays;

/**
 * Hashes of keys that fall into one bucket, by the file that holds them, while they are gathered.
 * {@link #flush} gives them as numbers: how many files, then for each its number (upper half) and
 * how many hashes it has (lower half), then the hashes, file by file, ascending.
 *
 * <p>Of one hash in one file at most two are kept at a time, which is all that one needs to know
 * that it is repeated: so a key that a table is full of fills no memory.
 */
final class HashChunk {
  private static final long LOWER_HALF = 0xffff_ffffL;

  private final long[] hashes;
  private int size;

  /** The number of a file, and where its hashes begin. */
  private long[] runs = new long[4];

  private int runCount;

  HashChunk(int capacity) {
    this.hashes = new long[capacity];
  }

  /** Whether nothing more goes in. */
  boolean isFull() {
    return size == hashes.length;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Adds one; there must be room. */
  void add(int file, long hash) {
    if (runCount == 0 || upper(runs[runCount - 1]) != file) {
      if (runCount == runs.length) {
        runs = Arrays.copyOf(runs, 2 * runCount);
      }
      runs[runCount++] = pair(file, size);
    }
    hashes[size++] = hash;
  }

  /** What has been gathered; nothing is left in this. */
  long[] flush() {
    long[] flushed = new long[1 + runCount + size];
    int next = 1 + runCount;
    for (int run = 0; run < runCount; run++) {
      int end = run + 1 < runCount ? lower(runs[run + 1]) : size;
      int kept = twoOfEach(lower(runs[run]), end, flushed, next);
      flushed[1 + run] = pair(upper(runs[run]), kept);
      next += kept;
    }
    flushed[0] = runCount;
    size = 0;
    runCount = 0;
    return next == flushed.length ? flushed : Arrays.copyOf(flushed, next);
  }

  private int twoOfEach(int from, int to, long[] target, int place) {
    Arrays.sort(hashes, from, to);
    int kept = 0;
    for (int i = from; i < to; i++) {
      if (i < from + 2 || hashes[i] != hashes[i - 2]) {
        target[place + kept++] = hashes[i];
      }
    }
    return kept;
  }

  static long pair(int upper, int lower) {
    return (long) upper << 32 | lower;
  }

  static int upper(long pair) {
    return (int) (pair >>> 32);
  }

  static int lower(long pair) {
    return (int) (pair & LOWER_HALF);
  }
}
