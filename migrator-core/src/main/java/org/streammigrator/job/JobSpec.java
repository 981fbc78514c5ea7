package org.streammigrator.job;

/** What a Spark job is to do. */
public sealed interface JobSpec
    permits BackfillSpec, CopySpec, DedupSpec, RepartitionSpec, StateSpec, ValidateSpec {

  /** The job's name, as the spec gives it under {@code job}. */
  String job();

  /** Where the job writes its result besides its stdout; null: nowhere. */
  String result();

  /** Whether it writes nothing but its result, so that it may be asked anew at any time. */
  boolean readsOnly();
}
