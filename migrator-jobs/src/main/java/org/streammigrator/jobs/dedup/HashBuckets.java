package org.streammigrator.jobs.dedup;

import java.io.Serializable;
import java.util.Arrays;
import java.util.BitSet;

/**
 * How the hashes of keys are divided among tasks, and by what numbers files go: the place of the
 * hash of their name among those of all files. Files whose names have the same hash go by one
 * number.
 */
final class HashBuckets implements Serializable {
  private static final long serialVersionUID = 1;

  private final int count;
  private final long[] files;
  private final BitSet stays;

  /**
   * Divides hashes.
   *
   * @param count how many buckets
   * @param files hashes of the names of files, ascending, each once
   * @param stays numbers of the files whose rows stay in any case
   */
  HashBuckets(int count, long[] files, BitSet stays) {
    this.count = count;
    this.files = files;
    this.stays = stays;
  }

  int count() {
    return count;
  }

  /** The bucket of a hash, by its upper bits: the hashes of a bucket lie in one range. */
  int bucket(long hash) {
    return (int) ((hash >>> 32) * count >>> 32);
  }

  /** The number of a file. */
  int file(long hash) {
    int file = Arrays.binarySearch(files, hash);
    if (file < 0) {
      throw new IllegalStateException("a row is in a file that the table does not have");
    }
    return file;
  }

  /** Whether rows of a file may go. */
  boolean mayGo(int file) {
    return !stays.get(file);
  }
}
