package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * The positions of one source over the batches of the old checkpoint, the cut, and the batches of
 * the new one.
 *
 * @param source the source's id in the old checkpoint; in the new one where it was added
 * @param type its kind
 * @param old the batches that the old checkpoint retains; null if it could not be read
 * @param cut the batch at whose end the old query's work ends for good; null if there is none
 * @param now the batches of the new query; null if it has planned none of its own
 * @param isSampled whether there are batches between those that are shown
 * @param lanes a line for each partition, or one
 * @param moreLanes how many partitions there are besides
 */
public record Timeline(
    String source,
    String type,
    Batches old,
    Long cut,
    Batches now,
    boolean isSampled,
    List<Lane> lanes,
    int moreLanes) {

  public Timeline {
    requireNonNull(source, "source");
    requireNonNull(type, "type");
    lanes = List.copyOf(lanes);
  }

  /**
   * Some batches.
   *
   * @param first the lowest number, 0 or more
   * @param last the highest
   * @param count how many there are
   */
  public record Batches(long first, long last, int count) {}

  /**
   * The positions of a partition.
   *
   * @param name the partition, as {@code topic/0}; empty where a source has no partitions
   * @param old those at the ends of the old checkpoint's batches
   * @param now those at the ends of the new one's
   */
  public record Lane(String name, List<Point> old, List<Point> now) {
    public Lane {
      requireNonNull(name, "name");
      old = List.copyOf(old);
      now = List.copyOf(now);
    }
  }

  /**
   * The position at the end of a batch.
   *
   * @param batch its number
   * @param isCommitted whether the batch is done, not only planned
   * @param value where it is on the way from one position to another, for a picture; null where
   *     positions of that kind have no order
   * @param words the position as people read it
   */
  public record Point(long batch, boolean isCommitted, Double value, String words) {
    public Point {
      requireNonNull(words, "words");
    }
  }
}
