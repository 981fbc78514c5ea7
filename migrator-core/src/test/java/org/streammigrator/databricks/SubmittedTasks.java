package org.streammigrator.databricks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** What a cluster needs of the tasks of a submission, and what the API refuses of them. */
final class SubmittedTasks {
  private SubmittedTasks() {}

  static List<JarTask.Submitted> of(JsonNode submission) {
    List<JarTask.Submitted> tasks = new ArrayList<>();
    for (JsonNode task : submission.path("tasks")) {
      String key = task.path("task_key").asText();
      if (!key.matches("[A-Za-z0-9_-]{1,100}")) {
        throw BadRequest.parameter("Invalid task_key '" + key + "'.");
      }
      JsonNode jar = task.path("spark_jar_task");
      if (jar.path("main_class_name").asText().isEmpty()) {
        throw BadRequest.parameter(
            "Task " + key + " has no spark_jar_task with a main_class_name.");
      }
      List<String> parameters = new ArrayList<>();
      jar.path("parameters").forEach(parameter -> parameters.add(parameter.asText()));
      tasks.add(
          new JarTask.Submitted(
              jar.path("main_class_name").asText(), parameters, jars(submission, task, key), task));
    }
    if (tasks.isEmpty()) {
      throw BadRequest.parameter("At least one task is needed.");
    }
    return tasks;
  }

  private static List<String> jars(JsonNode submission, JsonNode task, String key) {
    int computes =
        (task.has("new_cluster") ? 1 : 0)
            + (task.has("existing_cluster_id") ? 1 : 0)
            + (task.has("environment_key") ? 1 : 0);
    if (computes != 1) {
      throw BadRequest.parameter(
          "Task " + key + " needs one of new_cluster, existing_cluster_id and environment_key.");
    }
    List<String> jars = new ArrayList<>();
    task.path("libraries").forEach(library -> jars.add(library.path("jar").asText()));
    if (task.has("new_cluster") && !task.at("/new_cluster/spark_version").isTextual()) {
      throw BadRequest.parameter("Task " + key + ": new_cluster needs a spark_version.");
    }
    if (task.has("environment_key")) {
      if (!jars.isEmpty()) {
        throw BadRequest.parameter("Libraries are not supported for serverless task " + key + ".");
      }
      boolean known = false;
      for (JsonNode environment : submission.path("environments")) {
        if (environment.path("environment_key").equals(task.path("environment_key"))) {
          known = true;
          environment.at("/spec/java_dependencies").forEach(jar -> jars.add(jar.asText()));
        }
      }
      if (!known) {
        throw BadRequest.parameter("Task " + key + " names an environment_key that there is not.");
      }
    }
    return jars;
  }
}
