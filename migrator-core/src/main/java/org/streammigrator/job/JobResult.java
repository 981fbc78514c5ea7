package org.streammigrator.job;

/** What a job has done. */
public sealed interface JobResult
    permits BackfillResult,
        CopyResult,
        DedupResult,
        RefusedResult,
        RepartitionResult,
        StateResult,
        ValidateResult {

  /** The job's name. */
  String job();

  /** Whether it did what was asked, or found all as it should be. */
  boolean ok();
}
