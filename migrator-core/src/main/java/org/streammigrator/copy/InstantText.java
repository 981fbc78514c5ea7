package org.streammigrator.copy;

import java.time.Instant;

/**
 * Writes times as {@link Instant#toString} does. Files that were written one after the other share
 * most of the text, which is made once a second. Not for several threads.
 */
final class InstantText {
  private static final int BILLION = 1_000_000_000;
  private static final int THREE_DIGITS = 1_000;

  private long second;
  private String before;

  /** The text of a time. */
  String of(Instant time) {
    if (before == null || time.getEpochSecond() != second) {
      second = time.getEpochSecond();
      String whole = Instant.ofEpochSecond(second).toString();
      before = whole.substring(0, whole.length() - 1);
    }
    int nanos = time.getNano();
    if (nanos == 0) {
      return before + 'Z';
    }
    // Three, six or nine digits, as many as it takes.
    String digits = Integer.toString(BILLION + nanos);
    int length = 9;
    while (nanos % THREE_DIGITS == 0) {
      nanos /= THREE_DIGITS;
      length -= 3;
    }
    return before + '.' + digits.substring(1, 1 + length) + 'Z';
  }
}
