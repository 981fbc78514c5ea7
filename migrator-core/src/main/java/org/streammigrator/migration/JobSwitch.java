package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobDefinition;
import org.streammigrator.databricks.JobTrigger;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.CutoverPlan;
import org.streammigrator.plan.StreamPlan;

/**
 * How a job is told its new checkpoint.
 *
 * @param settings what changes
 * @param diff that in words, a line each
 */
record JobSwitch(JobSettings settings, List<String> diff) {
  private static final String TASKS = "tasks";
  private static final String CLUSTERS = "job_clusters";
  private static final String CLUSTER = "new_cluster";

  /** The maps of named parameters that tasks have, by the kind of task. */
  private static final List<List<String>> NAMED =
      List.of(
          List.of("notebook_task", "base_parameters"),
          List.of("python_wheel_task", "named_parameters"),
          List.of("run_job_task", "job_parameters"));

  /** The kinds of task that have a list of arguments. */
  private static final List<String> WITH_ARGUMENTS =
      List.of("spark_jar_task", "spark_python_task", "python_wheel_task");

  /**
   * Finds what has to change in a job.
   *
   * @throws RefusedException if the job has no such place
   */
  static JobSwitch of(StreamPlan stream, CutoverPlan plan, JobDefinition job)
      throws RefusedException {
    String value =
        plan.value().orElseGet(() -> spelled(stream.checkpoint().to().orElseThrow().toString()));
    JobSwitch found = new JobSwitch(JobSettings.none(), new ArrayList<>());
    if (plan.parameter().isPresent()) {
      found.jobParameter(job, plan.parameter().get(), value);
    } else if (plan.taskParameter().isPresent()) {
      found.taskParameter(job, plan.task().orElseThrow(), plan.taskParameter().get(), value);
    } else if (plan.environment().isPresent()) {
      found.cluster(job, plan.task(), "spark_env_vars", plan.environment().get(), value);
    } else if (plan.sparkConf().isPresent()) {
      found.cluster(job, plan.task(), "spark_conf", plan.sparkConf().get(), value);
    }
    Optional<JobTrigger> trigger = job.trigger().filter(JobTrigger::isPaused);
    if (plan.start() && trigger.isPresent()) {
      found.settings.change(
          job.settings(),
          trigger.get().setting(),
          "",
          List.of(JobTrigger.STATUS),
          TextNode.valueOf(JobTrigger.UNPAUSED));
      found.diff.add(trigger.get().setting() + ".pause_status: PAUSED -> UNPAUSED");
    }
    return found;
  }

  /** A volume's place as jobs spell it. */
  private static String spelled(String place) {
    return place.startsWith("dbfs:/Volumes/") ? place.substring("dbfs:".length()) : place;
  }

  private void jobParameter(JobDefinition job, String name, String value) throws RefusedException {
    for (JsonNode parameter : job.settings().path("parameters")) {
      if (parameter.path("name").asText().equals(name)) {
        put(job, "parameters", name, List.of("default"), "parameters." + name, value);
        return;
      }
    }
    throw missing(
        job, "no job parameter '" + name + "'", "add it to the job, or correct `cutover`");
  }

  private void taskParameter(JobDefinition job, String key, String name, String value)
      throws RefusedException {
    JsonNode task = task(job, key);
    String place = TASKS + "." + key + "." + name;
    for (List<String> map : NAMED) {
      if (task.path(map.get(0)).path(map.get(1)).has(name)) {
        put(job, TASKS, key, List.of(map.get(0), map.get(1), name), place, value);
        return;
      }
    }
    for (String kind : WITH_ARGUMENTS) {
      JsonNode list = task.path(kind).path("parameters");
      for (int i = 0; i < list.size(); i++) {
        String text = list.get(i).asText();
        if (text.startsWith(name + "=")) {
          List<String> path = List.of(kind, "parameters", Integer.toString(i));
          put(job, TASKS, key, path, place, name + "=" + value);
          return;
        }
        if (text.equals(name) && i + 1 < list.size()) {
          List<String> path = List.of(kind, "parameters", Integer.toString(i + 1));
          put(job, TASKS, key, path, place, value);
          return;
        }
      }
    }
    for (List<String> map : NAMED) {
      // Where the task has none yet, what it is started with is what its code says.
      if (task.path(map.get(0)).isObject()
          && task.path(map.get(0)).path(map.get(1)).isEmpty()
          && task.path(map.get(0)).path("parameters").isEmpty()) {
        put(job, TASKS, key, List.of(map.get(0), map.get(1), name), place, value);
        return;
      }
    }
    throw missing(
        job,
        "no parameter '" + name + "' in its task " + key,
        "name a parameter that the task has: one of its named parameters, or an argument that is"
            + " followed by its value or by = and its value");
  }

  /** The cluster that a task runs on, or the only one that the job describes. */
  private void cluster(
      JobDefinition job, Optional<String> key, String map, String name, String value)
      throws RefusedException {
    List<String> tasks = new ArrayList<>();
    List<String> shared = new ArrayList<>();
    String sharedKey = key.isPresent() ? task(job, key.get()).path("job_cluster_key").asText() : "";
    for (JsonNode task : job.settings().path(TASKS)) {
      String taskKey = task.path("task_key").asText();
      if (task.path(CLUSTER).isObject() && key.orElse(taskKey).equals(taskKey)) {
        tasks.add(taskKey);
      }
    }
    for (JsonNode cluster : job.settings().path(CLUSTERS)) {
      String clusterKey = cluster.path("job_cluster_key").asText();
      if (key.isEmpty() || clusterKey.equals(sharedKey)) {
        shared.add(clusterKey);
      }
    }
    if (tasks.size() + shared.size() != 1) {
      boolean isNone = tasks.isEmpty() && shared.isEmpty();
      throw missing(
          job,
          isNone ? "no cluster of its own whose " + map + " could be set" : "more than one cluster",
          isNone
              ? "use a parameter: an existing cluster and serverless are not the job's to set"
              : "name the task whose cluster is meant: cutover.task");
    }
    String setting = shared.isEmpty() ? TASKS : CLUSTERS;
    String entry = shared.isEmpty() ? tasks.get(0) : shared.get(0);
    put(
        job,
        setting,
        entry,
        List.of(CLUSTER, map, name),
        setting + "." + entry + "." + map + "." + name,
        value);
  }

  private static JsonNode task(JobDefinition job, String key) throws RefusedException {
    Optional<? extends JsonNode> task = job.task(key);
    if (task.isEmpty()) {
      throw missing(job, "no task '" + key + "'", "correct `cutover.task`");
    }
    return task.get();
  }

  private void put(
      JobDefinition job,
      String setting,
      String key,
      List<String> path,
      String place,
      String value) {
    JsonNode was = settings.change(job.settings(), setting, key, path, TextNode.valueOf(value));
    diff.add(
        place
            + ": "
            + (was.isMissingNode() ? "not set" : "'" + was.asText() + "'")
            + " -> '"
            + value
            + "'"
            + (value.equals(was.asText()) ? " (as it is)" : ""));
  }

  private static RefusedException missing(JobDefinition job, String what, String remedy) {
    return new RefusedException(
        Finding.error(
            FindingCode.JOB_SETTING_NOT_FOUND, "cutover", job.text() + " has " + what, remedy));
  }
}
