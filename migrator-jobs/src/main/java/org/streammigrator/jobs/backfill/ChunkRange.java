package org.streammigrator.jobs.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;

/**
 * One chunk of a job: the rows whose window starts in a range.
 *
 * @param number 0 and up; the table remembers it
 * @param from the first start; null: unbounded
 * @param to the first start after it; null: unbounded
 */
record ChunkRange(int number, Instant from, Instant to) {
  private static final int MOST = 100_000;

  /**
   * The chunks of a job, in order, without a gap between them.
   *
   * @throws InvalidJobSpecException if they are too many
   */
  static List<ChunkRange> of(BackfillSpec spec) {
    if (spec.windows() == null) {
      return List.of(new ChunkRange(0, null, null));
    }
    Instant from = spec.windows().from();
    Instant to = spec.windows().to();
    if (spec.chunks() == null) {
      return List.of(new ChunkRange(0, from, to));
    }
    Duration length = spec.chunks().length();
    List<ChunkRange> chunks = new ArrayList<>();
    for (Instant start = from; start.isBefore(to); start = start.plus(length)) {
      if (chunks.size() == MOST) {
        throw new InvalidJobSpecException(
            "chunks.of: windows from %s to %s in chunks of %s are more than %d"
                .formatted(from, to, spec.chunks().of(), MOST));
      }
      Instant end = start.plus(length);
      chunks.add(new ChunkRange(chunks.size(), start, end.isBefore(to) ? end : to));
    }
    return chunks;
  }
}
