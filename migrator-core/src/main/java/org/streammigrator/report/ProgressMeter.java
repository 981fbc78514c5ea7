package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.streammigrator.copy.CopyProgress;

/** Counts what it is told, and says how far it is when asked. */
public final class ProgressMeter implements CopyProgress {
  private final LongSupplier nanos;
  private Phase phase;
  private long began;
  private long files;
  private long filesTotal;
  private long bytes;
  private long bytesTotal;
  private long retries;
  private Pace filePace = new Pace();
  private Pace bytePace = new Pace();

  /**
   * A meter.
   *
   * @param nanos a clock that never goes back, as {@link System#nanoTime}
   */
  public ProgressMeter(LongSupplier nanos) {
    this.nanos = requireNonNull(nanos, "nanos");
  }

  @Override
  public synchronized void began(Phase begun, long fileCount, long byteCount) {
    phase = requireNonNull(begun, "begun");
    began = nanos.getAsLong();
    files = 0;
    bytes = 0;
    filesTotal = fileCount;
    bytesTotal = byteCount;
    filePace = new Pace();
    bytePace = new Pace();
    filePace.add(0, 0);
    bytePace.add(0, 0);
  }

  @Override
  public synchronized void moved(long count) {
    bytes += count;
  }

  @Override
  public synchronized void done(long count) {
    files += count;
  }

  @Override
  public synchronized void retried() {
    retries++;
  }

  @Override
  public synchronized void ended() {
    phase = null;
  }

  /** How far the phase is; empty between phases. Ask for it some times a second, no more. */
  public synchronized Optional<Progress> now() {
    if (phase == null) {
      return Optional.empty();
    }
    long elapsed = TimeUnit.NANOSECONDS.toMillis(nanos.getAsLong() - began);
    filePace.add(elapsed, files);
    bytePace.add(elapsed, bytes);
    return Optional.of(
        new Progress(
            phase,
            elapsed,
            files,
            filesTotal,
            bytes,
            bytesTotal,
            retries,
            bytePace.perSecond(),
            left()));
  }

  /** Both have to be done, so that the later counts; a single file is done with its bytes. */
  private OptionalLong left() {
    OptionalLong byBytes = bytePace.secondsTo(bytesTotal);
    if (filesTotal == 1) {
      return byBytes;
    }
    OptionalLong byFiles = filePace.secondsTo(filesTotal);
    return byFiles.isEmpty() || byBytes.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(Math.max(byFiles.getAsLong(), byBytes.getAsLong()));
  }
}
