package org.streammigrator.jobs.dedup;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds the hashes of one bucket that two rows have of which one may go, and the files that hold
 * them.
 */
final class RepeatedHashes {
  private static final long[] NONE = {};

  private final HashBuckets buckets;
  private long[] mayGo = NONE;
  private int mayGoSize;
  private long[] stays = NONE;
  private int staysSize;

  /** The number of a file, and how many hashes it has, in the order of the hashes. */
  private long[] runs = new long[16];

  private int runCount;

  RepeatedHashes(HashBuckets buckets) {
    this.buckets = buckets;
  }

  /** Adds what {@link HashChunk#flush} gave. */
  void add(long[] chunk) {
    int next = 1 + (int) chunk[0];
    for (int run = 1; run <= chunk[0]; run++) {
      int count = HashChunk.lower(chunk[run]);
      if (runCount == runs.length) {
        runs = Arrays.copyOf(runs, 2 * runCount);
      }
      runs[runCount++] = chunk[run];
      if (buckets.mayGo(HashChunk.upper(chunk[run]))) {
        mayGo = withRoom(mayGo, mayGoSize + count);
        System.arraycopy(chunk, next, mayGo, mayGoSize, count);
        mayGoSize += count;
      } else {
        stays = withRoom(stays, staysSize + count);
        System.arraycopy(chunk, next, stays, staysSize, count);
        staysSize += count;
      }
      next += count;
    }
  }

  private static long[] withRoom(long[] hashes, int size) {
    return size <= hashes.length
        ? hashes
        : Arrays.copyOf(hashes, Math.max(size, hashes.length + (hashes.length >> 1)));
  }

  /**
   * The answer: how many rows have such a hash (of one that many have, some), the files as bits,
   * and the hashes as a part of a filter.
   *
   * @param found an empty filter, to which the hashes are added
   */
  long[][] find(HashFilter found) {
    long[] repeated = repeated();
    for (long hash : repeated) {
      found.add(hash);
    }
    BitSet files = new BitSet();
    long rows = 0;
    int nextMayGo = 0;
    int nextStays = 0;
    for (int run = 0; repeated.length > 0 && run < runCount; run++) {
      int file = HashChunk.upper(runs[run]);
      int count = HashChunk.lower(runs[run]);
      long of;
      if (buckets.mayGo(file)) {
        of = among(repeated, found, mayGo, nextMayGo, count);
        nextMayGo += count;
      } else {
        of = among(repeated, found, stays, nextStays, count);
        nextStays += count;
      }
      if (of > 0) {
        files.set(file);
        rows += of;
      }
    }
    return new long[][] {{rows}, files.toLongArray(), found.part()};
  }

  /** Hashes that occur twice where rows may go, or there and where they stay; ascending. */
  private long[] repeated() {
    long[] ascending = Arrays.copyOf(mayGo, mayGoSize);
    long[] older = Arrays.copyOf(stays, staysSize);
    Arrays.sort(ascending);
    Arrays.sort(older);
    int kept = 0;
    int next = 0;
    for (int i = 0; i < ascending.length; i++) {
      long hash = ascending[i];
      while (next < older.length && older[next] < hash) {
        next++;
      }
      boolean isAgain = i > 0 && ascending[i - 1] == hash;
      boolean isTwice = isAgain || i + 1 < ascending.length && ascending[i + 1] == hash;
      boolean isOlder = next < older.length && older[next] == hash;
      if (!isAgain && (isTwice || isOlder)) {
        ascending[kept++] = hash; // kept <= i, so that what is compared next is still there
      }
    }
    return Arrays.copyOf(ascending, kept);
  }

  private static long among(long[] repeated, HashFilter found, long[] hashes, int from, int count) {
    long of = 0;
    for (int i = from; i < from + count; i++) {
      if (found.mayContain(hashes[i]) && Arrays.binarySearch(repeated, hashes[i]) >= 0) {
        of++;
      }
    }
    return of;
  }
}
