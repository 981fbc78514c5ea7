package org.streammigrator.migration;

import org.streammigrator.copy.CopyProgress;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.ChunkEvent;

/** Hears what an apply does while it does it. */
public interface ApplyEvents {

  /** Something was noticed about a stream. */
  void finding(String stream, Finding finding);

  /** A step begins. */
  void stepStarted(String stream, Step step);

  /** A chunk of a step's job is done; which step, {@link #stepStarted} has told. */
  default void chunk(ChunkEvent chunk) {}

  /** A step has ended well; {@code result} says with what. */
  void stepDone(String stream, Step step, String result);

  /**
   * A new checkpoint is written, not yet under its final name.
   *
   * @param files how many files it has
   * @param bytes how many bytes are in them
   */
  default void written(String stream, long files, long bytes) {}

  /** A stream has come to its end. */
  void streamEnded(StreamOutcome outcome);

  /** Told how far the copy inside of a step is; which one, {@link #stepStarted} has told. */
  default CopyProgress progress() {
    return CopyProgress.NONE;
  }
}
