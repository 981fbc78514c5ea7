package org.streammigrator.jobs.copy;

import java.util.ArrayList;
import java.util.List;
import org.streammigrator.copy.CopySource;

/**
 * Divides files into parts of about the same work: some for each processor, so that one that is
 * slow holds up little, and none so large that a failure costs much.
 */
final class Parts {
  private static final int PARTS_FOR_A_PROCESSOR = 4;
  private static final int MOST_FILES = 2_000;
  private static final long MOST_BYTES = 1L << 30;
  private static final int FEWEST_FILES = 20;
  private static final long FEWEST_BYTES = 16L << 20;

  private Parts() {}

  /**
   * The parts, in the order of the files; none is empty.
   *
   * @param processors tasks that run at the same time, 1 or more
   */
  static List<List<CopySource>> of(List<CopySource> files, int processors) {
    long bytes = files.stream().mapToLong(CopySource::size).sum();
    long wanted = (long) processors * PARTS_FOR_A_PROCESSOR;
    long mostFiles = Math.max(FEWEST_FILES, Math.min(MOST_FILES, files.size() / wanted));
    long mostBytes = Math.max(FEWEST_BYTES, Math.min(MOST_BYTES, bytes / wanted));
    List<List<CopySource>> parts = new ArrayList<>();
    int begin = 0;
    long held = 0;
    for (int i = 0; i < files.size(); i++) {
      long size = files.get(i).size();
      if (i > begin && (i - begin >= mostFiles || held + size > mostBytes)) {
        parts.add(files.subList(begin, i));
        begin = i;
        held = 0;
      }
      held += size;
    }
    if (begin < files.size()) {
      parts.add(files.subList(begin, files.size()));
    }
    return parts;
  }
}
