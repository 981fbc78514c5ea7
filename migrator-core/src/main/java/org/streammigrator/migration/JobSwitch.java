package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
      String name = trigger.get().setting();
      found.settings.change(job.settings(), name, trigger.get().unpaused().get(name));
      found.diff.add(name + ".pause_status: PAUSED -> UNPAUSED");
    }
    return found;
  }

  /** A volume's place as jobs spell it. */
  private static String spelled(String place) {
    return place.startsWith("dbfs:/Volumes/") ? place.substring("dbfs:".length()) : place;
  }

  private void jobParameter(JobDefinition job, String name, String value) throws RefusedException {
    if (job.settings().path("parameters").isArray()) {
      ArrayNode parameters = job.settings().path("parameters").deepCopy();
      for (JsonNode parameter : parameters) {
        if (parameter.path("name").asText().equals(name)) {
          put((ObjectNode) parameter, "default", "parameters." + name, value);
          settings.change(job.settings(), "parameters", parameters);
          return;
        }
      }
    }
    throw missing(
        job, "no job parameter '" + name + "'", "add it to the job, or correct `cutover`");
  }

  private void taskParameter(JobDefinition job, String key, String name, String value)
      throws RefusedException {
    ObjectNode was = task(job, key);
    ObjectNode task = was.deepCopy();
    String place = "tasks." + key + "." + name;
    for (String[] map :
        new String[][] {
          {"notebook_task", "base_parameters"},
          {"python_wheel_task", "named_parameters"},
          {"run_job_task", "job_parameters"}
        }) {
      if (task.path(map[0]).isObject()) {
        put(((ObjectNode) task.path(map[0])).withObject("/" + map[1]), name, place, value);
        settings.changeEntry(TASKS, was, task);
        return;
      }
    }
    for (String kind : List.of("spark_jar_task", "spark_python_task", "python_wheel_task")) {
      if (task.path(kind).path("parameters") instanceof ArrayNode list
          && argument(list, name, place, value)) {
        settings.changeEntry(TASKS, was, task);
        return;
      }
    }
    throw missing(
        job,
        "no parameter '" + name + "' in its task " + key,
        "name a parameter that the task has: one of its named parameters, or an argument that is"
            + " followed by its value or by = and its value");
  }

  /** Arguments of a command line: a name and its value, or both with {@code =} between. */
  private boolean argument(ArrayNode list, String name, String place, String value) {
    for (int i = 0; i < list.size(); i++) {
      String text = list.get(i).asText();
      if (text.startsWith(name + "=")) {
        tell(place, text.substring(name.length() + 1), value);
        list.set(i, list.textNode(name + "=" + value));
        return true;
      }
      if (text.equals(name) && i + 1 < list.size()) {
        tell(place, list.get(i + 1).asText(), value);
        list.set(i + 1, list.textNode(value));
        return true;
      }
    }
    return false;
  }

  /** The cluster that a task runs on, or the only one that the job describes. */
  private void cluster(
      JobDefinition job, Optional<String> key, String map, String name, String value)
      throws RefusedException {
    List<ObjectNode> tasks = new ArrayList<>();
    List<ObjectNode> shared = new ArrayList<>();
    String sharedKey = null;
    if (key.isPresent()) {
      ObjectNode task = task(job, key.get());
      sharedKey = task.path("job_cluster_key").asText(null);
      if (task.path("new_cluster").isObject()) {
        tasks.add(task);
      }
    } else {
      job.settings().path(TASKS).forEach(task -> addWithCluster(task, tasks));
    }
    for (JsonNode cluster : job.settings().path("job_clusters")) {
      if (key.isEmpty() || cluster.path("job_cluster_key").asText().equals(sharedKey)) {
        addWithCluster(cluster, shared);
      }
    }
    if (tasks.size() + shared.size() != 1) {
      throw missing(
          job,
          tasks.isEmpty() && shared.isEmpty()
              ? "no cluster of its own whose " + map + " could be set"
              : "more than one cluster",
          tasks.isEmpty() && shared.isEmpty()
              ? "use a parameter: an existing cluster and serverless are not the job's to set"
              : "name the task whose cluster is meant: cutover.task");
    }
    boolean isTask = shared.isEmpty();
    ObjectNode was = isTask ? tasks.get(0) : shared.get(0);
    ObjectNode holder = was.deepCopy();
    put(
        ((ObjectNode) holder.get("new_cluster")).withObject("/" + map),
        name,
        (isTask
                ? "tasks." + was.path("task_key").asText()
                : "job_clusters." + was.path("job_cluster_key").asText())
            + "."
            + map
            + "."
            + name,
        value);
    settings.changeEntry(isTask ? TASKS : "job_clusters", was, holder);
  }

  private static void addWithCluster(JsonNode holder, List<ObjectNode> all) {
    if (holder.path("new_cluster").isObject()) {
      all.add((ObjectNode) holder);
    }
  }

  private static ObjectNode task(JobDefinition job, String key) throws RefusedException {
    Optional<ObjectNode> task = job.task(key);
    if (task.isEmpty()) {
      throw missing(job, "no task '" + key + "'", "correct `cutover.task`");
    }
    return task.get();
  }

  private void put(ObjectNode map, String name, String place, String value) {
    tell(place, map.path(name).asText(null), value);
    map.put(name, value);
  }

  private void tell(String place, String before, String value) {
    diff.add(
        place
            + ": "
            + (before == null ? "not set" : "'" + before + "'")
            + " -> '"
            + value
            + "'"
            + (value.equals(before) ? " (as it is)" : ""));
  }

  private static RefusedException missing(JobDefinition job, String what, String remedy) {
    return new RefusedException(
        Finding.error(
            FindingCode.JOB_SETTING_NOT_FOUND, "cutover", job.text() + " has " + what, remedy));
  }
}
