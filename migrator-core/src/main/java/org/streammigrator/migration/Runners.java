package org.streammigrator.migration;

import java.util.HashMap;
import java.util.Map;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.plan.RunnerKind;
import org.streammigrator.plan.RunnerPlan;
import org.streammigrator.plan.SecretText;
import org.streammigrator.storage.Location;

/** The {@code runner} of a plan as jobs take it. */
final class Runners {
  private Runners() {}

  static RunnerSpec of(RunnerPlan runner) {
    Map<String, String> conf = new HashMap<>();
    for (Map.Entry<String, SecretText> setting : runner.conf().entrySet()) {
      conf.put(setting.getKey(), setting.getValue().toString());
    }
    if (runner.kind() != RunnerKind.DATABRICKS) {
      return new RunnerSpec(
          RunnerSpec.LOCAL,
          runner.master().orElse(null),
          null,
          null,
          runner.memory().orElse(null),
          null,
          conf);
    }
    return new RunnerSpec(
        RunnerSpec.DATABRICKS,
        null,
        null,
        runner.jar().map(Location::toString).orElse(null),
        null,
        null,
        conf,
        runner.workspace().orElse(null),
        runner.volume().orElse(null),
        runner.cluster().orElse(null),
        runner.environment().orElse(null),
        runner.sparkVersion().orElse(null),
        runner.nodeType().orElse(null),
        runner.workers().map(Integer::valueOf).orElse(null),
        runner.policy().orElse(null),
        runner.timeout().orElse(null),
        runner.onInterrupt().orElse(null));
  }

  /**
   * That of a job which compares: on this machine it takes no settings, which are for those that
   * compute.
   */
  static RunnerSpec comparing(RunnerPlan runner) {
    return runner.kind() == RunnerKind.DATABRICKS ? of(runner) : RunnerSpec.of(RunnerSpec.LOCAL);
  }

  /** Whether the jobs of a runner can read a checkpoint. */
  static boolean reaches(RunnerPlan runner, Location checkpoint) {
    return (runner.kind() == RunnerKind.DATABRICKS) != checkpoint.isLocal();
  }
}
