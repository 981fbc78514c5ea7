package org.streammigrator.backfill;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.WindowPlan;

/**
 * The windows of Spark's {@code window(column, size, slide, startTime)}: aligned to
 * 1970-01-01T00:00:00Z plus the start, whatever the session's time zone, each with its start and
 * without its end. All lengths are in microseconds, as Spark's timestamps are.
 *
 * @param size more than 0
 * @param slide from one window's start to the next, 1 to {@code size}
 * @param start the offset of the grid
 */
public record WindowGrid(long size, long slide, long start) {

  public WindowGrid {
    if (size <= 0 || slide <= 0 || slide > size) {
      throw new IllegalArgumentException(
          "a window's size and slide must be more than 0, and the slide no more than the size");
    }
  }

  /**
   * The windows that a plan describes.
   *
   * @throws IllegalArgumentException if there are no such windows
   */
  public static WindowGrid of(WindowPlan window) {
    long size = micros(window.size());
    return new WindowGrid(
        size,
        window.slide().map(WindowGrid::micros).orElse(size),
        window.start().map(WindowGrid::micros).orElse(0L));
  }

  private static long micros(Duration length) {
    try {
      return Math.addExact(
          Math.multiplyExact(length.getSeconds(), 1_000_000L), length.getNano() / 1_000);
    } catch (ArithmeticException tooLong) {
      throw new IllegalArgumentException(length + " is too long for a window", tooLong);
    }
  }

  /**
   * The start of the first window that begins after an event, which so lies in none of the windows
   * from there on.
   */
  public Instant after(Instant event) {
    return instant(Math.addExact(at(event), slide));
  }

  /** The start of the first window that ends after a watermark, in milliseconds of the epoch. */
  public Instant firstOpen(long watermarkMs) {
    long watermark = Math.multiplyExact(watermarkMs, 1_000L);
    return instant(Math.addExact(floor(Math.subtractExact(watermark, size)), slide));
  }

  /**
   * The end of the last window that ends at or before a watermark, in milliseconds of the epoch.
   */
  public Instant lastClosed(long watermarkMs) {
    long watermark = Math.multiplyExact(watermarkMs, 1_000L);
    return instant(Math.addExact(floor(Math.subtractExact(watermark, size)), size));
  }

  /** The end of the last window that starts before an instant. */
  public Instant endBefore(Instant start) {
    return instant(Math.addExact(floor(Math.subtractExact(micros(start), 1)), size));
  }

  /** Whether a window starts at an instant. */
  public boolean isStart(Instant instant) {
    return at(instant) == micros(instant) && instant.getNano() % 1_000 == 0;
  }

  /** The starts of the windows that an event lies in, in order. */
  public List<Instant> startsOf(Instant event) {
    List<Instant> starts = new ArrayList<>();
    long micros = micros(event);
    for (long first = at(event); first > micros - size; first -= slide) {
      starts.add(0, instant(first));
    }
    return starts;
  }

  /** The end of the window that starts at an instant. */
  public Instant endOf(Instant start) {
    return start.plus(size, ChronoUnit.MICROS);
  }

  /** The last start at or before an instant. */
  private long at(Instant instant) {
    return floor(micros(instant));
  }

  private long floor(long micros) {
    return Math.floorDiv(Math.subtractExact(micros, start), slide) * slide + start;
  }

  private static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }
}
