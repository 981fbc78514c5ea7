package org.streammigrator.jobs.dedup;

import java.io.Serializable;

/**
 * Tells hashes that may be among some from those that are not, by their upper bits. It errs on one
 * side only, and takes up to 8 MB however many they are.
 */
final class HashFilter implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int FEWEST_BITS = 16;
  private static final int MOST_BITS = 26;

  private final int shift;
  private final long[] words;

  private HashFilter(int bits) {
    this.shift = Long.SIZE - bits;
    this.words = new long[1 << (bits - 6)];
  }

  /** An empty one, with room for so many that most others are told apart. */
  static HashFilter roomFor(long hashes) {
    int bits = Long.SIZE - Long.numberOfLeadingZeros(hashes) + 3;
    return new HashFilter(Math.max(FEWEST_BITS, Math.min(MOST_BITS, bits)));
  }

  void add(long hash) {
    int bit = (int) (hash >>> shift);
    words[bit >>> 6] |= 1L << bit;
  }

  /** Whether a hash may be one of those. */
  boolean mayContain(long hash) {
    int bit = (int) (hash >>> shift);
    return (words[bit >>> 6] & 1L << bit) != 0;
  }

  /** The part with what has been added: the number of its first word, and its words. */
  long[] part() {
    int first = 0;
    int end = words.length;
    while (first < end && words[first] == 0) {
      first++;
    }
    while (end > first && words[end - 1] == 0) {
      end--;
    }
    long[] part = new long[1 + end - first];
    part[0] = first;
    System.arraycopy(words, first, part, 1, end - first);
    return part;
  }

  /** Adds the {@link #part} of another one of the same size. */
  void add(long[] part) {
    for (int word = 1; word < part.length; word++) {
      words[(int) part[0] + word - 1] |= part[word];
    }
  }
}
