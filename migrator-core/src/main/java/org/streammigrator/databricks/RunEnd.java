package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Waits for the end of runs by asking again and again, each time after a longer pause. */
public final class RunEnd {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final Jobs jobs;
  private final Waits waits;

  /** Waits for runs of a workspace. */
  public RunEnd(Jobs jobs, Waits waits) {
    this.jobs = requireNonNull(jobs, "jobs");
    this.waits = requireNonNull(waits, "waits");
  }

  /**
   * Waits until a run has ended.
   *
   * @param limit how long at most
   * @return the run as it was asked for last; active if it did not end within the limit
   */
  public JobRun await(long run, Duration limit) throws IOException {
    return await(run, limit, active -> {});
  }

  /**
   * Waits until a run has ended, and tells each time that it has not.
   *
   * @param limit how long at most
   * @param meanwhile is given the run before each pause
   * @return the run as it was asked for last; active if it did not end within the limit
   */
  public JobRun await(long run, Duration limit, Consumer<JobRun> meanwhile) throws IOException {
    Instant until = waits.now().plus(limit);
    Duration pause = FIRST;
    while (true) {
      JobRun now = jobs.run(run);
      Duration left = Duration.between(waits.now(), until);
      if (!now.isActive() || left.isNegative() || left.isZero()) {
        return now;
      }
      meanwhile.accept(now);
      waits.pause(pause.compareTo(left) < 0 ? pause : left);
      pause = pause.multipliedBy(3).dividedBy(2);
      pause = pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
    }
  }

  /**
   * Asks for the end of a run, and waits for it.
   *
   * @param limit how long at most
   * @return the run as it was asked for last
   */
  public JobRun cancel(long run, Duration limit) throws IOException {
    jobs.cancel(run);
    return await(run, limit);
  }
}
