package org.streammigrator.job.remote;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.streammigrator.finding.DurationText;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.RunnerSpec;

/** The body of {@code runs/submit} for a job, as the Jobs API has it. */
final class Submission {
  /** The main class that a driver of Databricks calls. */
  static final String MAIN = "org.streammigrator.jobs.DatabricksMain";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String ENVIRONMENT = "migrator";

  private Submission() {}

  /**
   * Makes it.
   *
   * @param jars their places, as a cluster reads them
   * @param directory the directory of the run, as the driver reads it
   * @param token what makes a second submission the first one again
   */
  static ObjectNode of(
      JobSpec spec, RunnerSpec runner, List<String> jars, String directory, String token) {
    ObjectNode body = JSON.createObjectNode();
    body.put("run_name", "migrator " + spec.job()).put("idempotency_token", token);
    if (runner.timeout() != null) {
      body.put(
          "timeout_seconds",
          DurationText.parse(runner.timeout()).map(Duration::toSeconds).orElseThrow());
    }
    ObjectNode task = body.putArray("tasks").addObject().put("task_key", spec.job());
    task.putObject("spark_jar_task")
        .put("main_class_name", MAIN)
        .putArray("parameters")
        .add(directory);
    if (runner.environment() != null) {
      task.put("environment_key", ENVIRONMENT);
      ObjectNode environment =
          body.putArray("environments").addObject().put("environment_key", ENVIRONMENT);
      ArrayNode dependencies =
          environment
              .putObject("spec")
              .put("environment_version", runner.environment())
              .putArray("java_dependencies");
      jars.forEach(dependencies::add);
      return body;
    }
    ArrayNode libraries = task.putArray("libraries");
    jars.forEach(jar -> libraries.addObject().put("jar", jar));
    if (runner.cluster() != null) {
      task.put("existing_cluster_id", runner.cluster());
    } else {
      cluster(task.putObject("new_cluster"), runner);
    }
    return body;
  }

  private static void cluster(ObjectNode cluster, RunnerSpec runner) {
    cluster
        .put("spark_version", runner.sparkVersion())
        .put("num_workers", runner.workers() == null ? 1 : runner.workers())
        // Jars that use Spark's own classes run on clusters of one user only.
        .put("data_security_mode", "SINGLE_USER");
    if (runner.nodeType() != null) {
      cluster.put("node_type_id", runner.nodeType());
    }
    if (runner.policy() != null) {
      cluster.put("policy_id", runner.policy()).put("apply_policy_default_values", true);
    }
    if (!runner.conf().isEmpty()) {
      ObjectNode conf = cluster.putObject("spark_conf");
      new TreeMap<>(runner.conf()).forEach(conf::put);
    }
  }
}
