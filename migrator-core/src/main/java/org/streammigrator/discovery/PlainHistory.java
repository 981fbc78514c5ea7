package org.streammigrator.discovery;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.streammigrator.storage.StoreEntry;

/**
 * Tells whether the older part of a checkpoint's two logs is without any event, so that a reader
 * which does not see it says the same: both logs hold every batch from their first to their last,
 * the newest batch is committed or alone pending, and nothing else lies there but checksums.
 */
final class PlainHistory {
  /** More than a restart and any rule looks at. */
  private static final int KEPT = 4;

  private final long newest;

  private PlainHistory(long newest) {
    this.newest = newest;
  }

  /**
   * The entries of the two logs that a reader has to see: the newest few if all before is plain,
   * else all.
   */
  static List<StoreEntry> shown(List<StoreEntry> offsets, List<StoreEntry> commits) {
    PlainHistory planned = of(offsets);
    PlainHistory committed = of(commits);
    boolean plain =
        planned != null
            && committed != null
            && (planned.newest == committed.newest || planned.newest == committed.newest + 1);
    List<StoreEntry> shown = new ArrayList<>();
    for (List<StoreEntry> log : List.of(offsets, commits)) {
      for (StoreEntry entry : log) {
        if (!plain || number(entry.location().name()) > planned.newest - KEPT) {
          shown.add(entry);
        }
      }
    }
    return shown;
  }

  /** The history of a log; null if it is not plain. */
  private static PlainHistory of(List<StoreEntry> log) {
    TreeMap<Long, StoreEntry> batches = new TreeMap<>();
    for (StoreEntry entry : log) {
      String name = entry.location().name();
      long number = number(name);
      if (number < 0 || !entry.isFile()) {
        return null;
      }
      if (!name.endsWith(".crc")) {
        batches.put(number, entry);
      }
    }
    boolean contiguous =
        !batches.isEmpty() && batches.lastKey() - batches.firstKey() == batches.size() - 1;
    return contiguous ? new PlainHistory(batches.lastKey()) : null;
  }

  /** The batch of {@code 12} and {@code .12.crc}; -1 for any other name. */
  static long number(String name) {
    boolean checksum = name.startsWith(".") && name.endsWith(".crc");
    int from = checksum ? 1 : 0;
    int to = checksum ? name.length() - ".crc".length() : name.length();
    if (to - from < 1 || to - from > 18 || to - from > 1 && name.charAt(from) == '0') {
      return -1;
    }
    long number = 0;
    for (int i = from; i < to; i++) {
      int digit = name.charAt(i) - '0';
      if (digit < 0 || digit > 9) {
        return -1;
      }
      number = number * 10 + digit;
    }
    return number;
  }
}
