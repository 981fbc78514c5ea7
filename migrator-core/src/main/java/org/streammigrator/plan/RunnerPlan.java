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
    @Key("The Databricks workspace, by its name in this plan; without it that of the environment.")
        Optional<String> workspace,
    @Key("The volume, or a directory in one, for jars, specs and results, for databricks.")
        Optional<String> volume,
    @Key(value = "The id of a Databricks cluster that is there.", form = Form.ANY_SCALAR)
        Optional<String> cluster,
    @Key(
            value = "Databricks' serverless compute: the version of its environment, 4 or more.",
            form = Form.ANY_SCALAR)
        Optional<String> environment,
    @Key("A new Databricks cluster: its runtime, such as 17.3.x-scala2.13.")
        Optional<String> sparkVersion,
    @Key("The machines of the new cluster.") Optional<String> nodeType,
    @Key(value = "How many workers the new cluster has; 1 if left out.", form = Form.ANY_SCALAR)
        Optional<String> workers,
    @Key(value = "The id of the new cluster's policy.", form = Form.ANY_SCALAR)
        Optional<String> policy,
    @Key("How long a run in Databricks may take, such as 6h.") Optional<String> timeout,
    @Key("What becomes of a run in Databricks when apply is interrupted: leave or cancel.")
        Optional<String> onInterrupt,
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
        Optional.empty(),
        Optional.empty(),
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
