package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.util.OptionalLong;
import org.streammigrator.copy.CopyProgress.Phase;

/**
 * How far a phase is at a moment.
 *
 * @param elapsedMillis since the phase began
 * @param files done, of {@code filesTotal}
 * @param bytes done, of {@code bytesTotal}; more than that only if what is copied has grown
 * @param retries how often something was tried again, in all phases until now
 * @param bytesPerSecond of late; empty before there is anything to tell
 * @param secondsLeft until the phase ends, going on like this; empty where nobody can tell
 */
public record Progress(
    Phase phase,
    long elapsedMillis,
    long files,
    long filesTotal,
    long bytes,
    long bytesTotal,
    long retries,
    OptionalLong bytesPerSecond,
    OptionalLong secondsLeft) {

  public Progress {
    requireNonNull(phase, "phase");
    requireNonNull(bytesPerSecond, "bytesPerSecond");
    requireNonNull(secondsLeft, "secondsLeft");
  }

  /**
   * How much is done, 0 to 100: by bytes and by files, whichever is behind; a single file is as far
   * as its bytes are. 100 only when all is.
   */
  public int percent() {
    if (filesTotal == 1 && files == 0) {
      return Math.min(99, percent(bytes, Math.max(1, bytesTotal)));
    }
    return Math.min(percent(files, filesTotal), percent(bytes, bytesTotal));
  }

  private static int percent(long done, long total) {
    if (done >= total) {
      return 100;
    }
    // In two steps where a hundredfold does not fit into 64 bits.
    long percent = total <= Long.MAX_VALUE / 100 ? done * 100 / total : done / (total / 100);
    return (int) Math.max(0, Math.min(99, percent));
  }
}
