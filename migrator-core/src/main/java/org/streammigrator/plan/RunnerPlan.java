package org.streammigrator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/** Where Spark jobs run, and how. */
@Shorthand("kind")
public record RunnerPlan(
    @Key(value = "Where Spark jobs run.", required = true) RunnerKind kind,
    @Key("The Spark master, for local and spark-submit.") Optional<String> master,
    @Key("The Spark installation, for spark-submit.") Optional<Location> sparkHome,
    @Key("The jobs' jar, where the runner can read it.") Optional<Location> jar,
    @Key("The driver's memory, such as 4g.") Optional<String> memory,
    @Key("The Databricks workspace, by its name in this plan.") Optional<String> workspace,
    @Key(
            value = "The id of the Databricks cluster; a job cluster is made when it is left out.",
            form = Form.ANY_SCALAR)
        Optional<String> cluster,
    @Key("Further arguments of spark-submit.") List<String> arguments,
    @Key("Spark settings of the jobs.") Map<String, SecretText> conf) {

  /** A runner without settings. */
  public static RunnerPlan of(RunnerKind kind) {
    return new RunnerPlan(
        kind,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(),
        Map.of());
  }
}
