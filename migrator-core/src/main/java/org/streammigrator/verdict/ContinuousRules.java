package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.COMMIT_WITHOUT_OFFSETS;
import static org.streammigrator.finding.FindingCode.CONTINUOUS_PROCESSING;

import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.finding.Finding;

/**
 * Rules about checkpoints of continuous processing ({@code Trigger.Continuous}). Origin: Spark's
 * {@code ContinuousExecution}: its plans have a blank header, and a start reads the plan of the
 * newest commit and nothing else.
 */
final class ContinuousRules {
  private ContinuousRules() {}

  /**
   * Whether continuous processing wrote the checkpoint: the newest plan and the one before have
   * blank headers, and there are commits, which Spark 2.0 did not write. One blank header alone is
   * damage.
   */
  static boolean apply(Checkpoint checkpoint) {
    long newest = checkpoint.lastPlanned().orElse(0);
    return newest > 0
        && checkpoint.commits().newest().isPresent()
        && isBlank(checkpoint.offsets().file(newest))
        && isBlank(checkpoint.offsets().file(newest - 1));
  }

  private static boolean isBlank(LogFile<OffsetLog> plan) {
    return plan.readable().filter(log -> log.header().isEmpty()).isPresent();
  }

  static void check(Checkpoint checkpoint, Restart restart) {
    long committed = checkpoint.commits().newest().orElseThrow();
    String plan = checkpoint.offsets().path(committed);
    if (!checkpoint.offsets().batches().contains(committed)) {
      restart.stop(
          Finding.error(
              COMMIT_WITHOUT_OFFSETS,
              checkpoint.commits().path(committed),
              "epoch "
                  + committed
                  + " is committed and "
                  + plan
                  + " is missing: continuous processing stops with \"Batch "
                  + committed
                  + " was committed without end epoch offsets!\"",
              "restore " + plan + " from a copy, or set the commits without a plan aside"));
    }
    restart.note(
        Finding.info(
            CONTINUOUS_PROCESSING,
            "offsets",
            "the plans have blank headers, as continuous processing writes them: a restart with"
                + " Trigger.Continuous goes on after epoch "
                + committed
                + " and reads again what later epochs had read. Any other trigger stops with a"
                + " NullPointerException",
            "restart it with Trigger.Continuous, or start a new checkpoint at the position"));
  }
}
