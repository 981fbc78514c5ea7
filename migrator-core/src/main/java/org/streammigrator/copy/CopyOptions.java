package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/**
 * How hard a copy may work, and how its target is verified.
 *
 * @param threads files copied at the same time, 1 or more; empty leaves it to the place
 * @param requestsPerSecond files opened and written a second at most, above 0; empty for no limit
 * @param bandwidth bytes read a second at most, 1 or more; empty for no limit
 * @param verify what is taken as proof that the target holds what was sent
 * @param attempts how often a file is tried in a store that is not local, 1 or more
 * @param recordEvery how much time of work may be lost by a crash: what is done is recorded so
 *     often, and a copy that is done within this time is not recorded at all
 */
public record CopyOptions(
    OptionalInt threads,
    OptionalDouble requestsPerSecond,
    OptionalLong bandwidth,
    Verify verify,
    int attempts,
    Duration recordEvery) {
  /** No limits, threads by place, checksums trusted. */
  public static final CopyOptions DEFAULT =
      new CopyOptions(
          OptionalInt.empty(),
          OptionalDouble.empty(),
          OptionalLong.empty(),
          Verify.CHECKSUM,
          5,
          Duration.ofSeconds(5));

  private static final int MOST_LOCAL = 8;
  private static final int REMOTE = 32;
  private static final int FILES_FOR_A_THREAD = 16;

  /** What proves that a target is right. */
  public enum Verify {
    /** The store's own comparison of checksums, where it made one; else reading back. */
    CHECKSUM,
    /** Reading every file back. */
    READ
  }

  public CopyOptions {
    requireNonNull(verify, "verify");
    requireNonNull(recordEvery, "recordEvery");
    if (threads.isPresent() && threads.getAsInt() < 1) {
      throw new IllegalArgumentException("threads must be 1 or more, not " + threads.getAsInt());
    }
    if (requestsPerSecond.isPresent() && !(requestsPerSecond.getAsDouble() > 0)) {
      throw new IllegalArgumentException("requests per second must be above 0");
    }
    if (attempts < 1) {
      throw new IllegalArgumentException("attempts must be 1 or more, not " + attempts);
    }
    if (bandwidth.isPresent() && bandwidth.getAsLong() < 1) {
      throw new IllegalArgumentException("bandwidth must be 1 byte a second or more");
    }
  }

  /** The same with so many threads. */
  public CopyOptions withThreads(int count) {
    return new CopyOptions(
        OptionalInt.of(count), requestsPerSecond, bandwidth, verify, attempts, recordEvery);
  }

  /** The same with so many requests a second. */
  public CopyOptions withRequestsPerSecond(double count) {
    return new CopyOptions(
        threads, OptionalDouble.of(count), bandwidth, verify, attempts, recordEvery);
  }

  /** The same with so many bytes a second. */
  public CopyOptions withBandwidth(long bytes) {
    return new CopyOptions(
        threads, requestsPerSecond, OptionalLong.of(bytes), verify, attempts, recordEvery);
  }

  /** The same with so many attempts. */
  public CopyOptions withAttempts(int count) {
    return new CopyOptions(threads, requestsPerSecond, bandwidth, verify, count, recordEvery);
  }

  /** The same, verified so. */
  public CopyOptions verifiedBy(Verify proof) {
    return new CopyOptions(threads, requestsPerSecond, bandwidth, proof, attempts, recordEvery);
  }

  /** The same, recorded so often. */
  public CopyOptions recordedEvery(Duration time) {
    return new CopyOptions(threads, requestsPerSecond, bandwidth, verify, attempts, time);
  }

  /** Threads for bringing these to a place, as {@link #threadsFor(Location, int)} of the slower. */
  int threadsFor(Location place, List<? extends CopySource> sources) {
    Location from =
        sources.stream()
            .flatMap(source -> source.stored().stream())
            .map(StoreEntry::location)
            .findFirst()
            .orElse(place);
    return threadsFor(place.isLocal() ? from : place, sources.size());
  }

  /**
   * Threads for so many files at a place: on a local disk some for each processor, and none besides
   * the caller's for a few files; elsewhere as many as hide the time of an answer.
   */
  int threadsFor(Location place, int files) {
    if (threads.isPresent()) {
      return Math.min(threads.getAsInt(), Math.max(1, files));
    }
    if (place.isLocal()) {
      int most = Math.min(MOST_LOCAL, 2 * Runtime.getRuntime().availableProcessors());
      return Math.max(1, Math.min(most, files / FILES_FOR_A_THREAD));
    }
    return Math.max(1, Math.min(REMOTE, files));
  }
}
