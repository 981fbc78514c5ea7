package org.streammigrator.jobs.demo;

/** Where a run of a query ends. */
public sealed interface StopPoint {

  /** The run ends once it has read all there was when it began. */
  record Drained() implements StopPoint {}

  /**
   * The run dies when it is about to write {@code commits/N}: the batch is planned, and its rows
   * are in the sink.
   */
  record BeforeCommit(long batch) implements StopPoint {
    public BeforeCommit {
      requireBatch(batch);
    }
  }

  /** The run dies in a task of batch N: the batch is planned, and the sink has none of its rows. */
  record InBatch(long batch) implements StopPoint {
    public InBatch {
      requireBatch(batch);
    }
  }

  private static void requireBatch(long batch) {
    if (batch < 0) {
      throw new IllegalArgumentException("batch number " + batch + " is negative");
    }
  }
}
