package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.copy.RefusedException;
import org.streammigrator.databricks.JobDefinition;
import org.streammigrator.databricks.JobReference;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.PassingTime;
import org.streammigrator.databricks.WorkspaceJobs;
import org.streammigrator.databricks.WorkspaceServer;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.StreamPlan;

/** Every place of a job that can hold its checkpoint, there and back. */
class JobSwitchTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JOB =
      """
      {"name": "orders", "max_concurrent_runs": 1,
       "parameters": [{"name": "other", "default": "1"}, {"name": "checkpoint", "default": "/old"}],
       "job_clusters": [{"job_cluster_key": "shared", "new_cluster":
         {"spark_version": "16.4.x-scala2.12", "spark_conf": {"a": "b", "chk": "/old"}}}],
       "tasks": [
         {"task_key": "notebook", "job_cluster_key": "shared",
          "notebook_task": {"notebook_path": "/n", "base_parameters": {"checkpoint": "/old"}}},
         {"task_key": "bare", "notebook_task": {"notebook_path": "/n"}, "existing_cluster_id": "c"},
         {"task_key": "wheel", "python_wheel_task":
           {"package_name": "p", "entry_point": "e", "named_parameters": {"checkpoint": "/old"}}},
         {"task_key": "jar", "spark_jar_task":
           {"main_class_name": "M", "parameters": ["--checkpoint", "/old", "--x=1"]}},
         {"task_key": "python", "spark_python_task":
           {"python_file": "f.py", "parameters": ["--x", "1", "--checkpoint=/old"]},
          "new_cluster": {"spark_version": "16.4.x-scala2.12", "spark_env_vars": {"CHK": "/old"}}},
         {"task_key": "arguments", "python_wheel_task":
           {"package_name": "p", "entry_point": "e", "parameters": ["--checkpoint", "/old"]}}]}
      """;

  private static StreamPlan stream(String cutover) {
    String text =
        "version: 1\nname: p\nworkspaces: {new: {profile: B}}\nstreams:\n  - strategy: relocate\n"
            + "    checkpoint: {from: /old, to: /Volumes/main/ops/chk/new}\n"
            + "    cutover: {workspace: new, id: 1, "
            + cutover
            + "}\n";
    var reading = PlanReader.read(text, Path.of("/"), Map.of(), name -> Optional.empty());
    assertThat(reading.problems()).isEmpty();
    return reading.plan().orElseThrow().streams().get(0);
  }

  private static JobSwitch change(String cutover) throws IOException {
    StreamPlan stream = stream(cutover);
    return JobSwitch.of(
        stream,
        stream.cutover().orElseThrow(),
        new JobDefinition(1, "orders", (ObjectNode) JSON.readTree(JOB)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parameter: checkpoint | /parameters/1/default | parameters.checkpoint: '/old' -> 'NEW'",
        "task: notebook, taskParameter: checkpoint | /tasks/0/notebook_task/base_parameters/checkpoint"
            + " | tasks.notebook.checkpoint: '/old' -> 'NEW'",
        "task: bare, taskParameter: checkpoint | /tasks/1/notebook_task/base_parameters/checkpoint"
            + " | tasks.bare.checkpoint: not set -> 'NEW'",
        "task: wheel, taskParameter: checkpoint |"
            + " /tasks/2/python_wheel_task/named_parameters/checkpoint"
            + " | tasks.wheel.checkpoint: '/old' -> 'NEW'",
        "task: jar, taskParameter: --checkpoint | /tasks/3/spark_jar_task/parameters/1"
            + " | tasks.jar.--checkpoint: '/old' -> 'NEW'",
        "task: arguments, taskParameter: --checkpoint | /tasks/5/python_wheel_task/parameters/1"
            + " | tasks.arguments.--checkpoint: '/old' -> 'NEW'",
        "task: notebook, sparkConf: chk | /job_clusters/0/new_cluster/spark_conf/chk"
            + " | job_clusters.shared.spark_conf.chk: '/old' -> 'NEW'",
        "task: python, environment: CHK | /tasks/4/new_cluster/spark_env_vars/CHK"
            + " | tasks.python.spark_env_vars.CHK: '/old' -> 'NEW'",
        "task: python, environment: NEW_ONE | /tasks/4/new_cluster/spark_env_vars/NEW_ONE"
            + " | tasks.python.spark_env_vars.NEW_ONE: not set -> 'NEW'"
      })
  void switchesASettingAndBack(String cutover, String pointer, String diff) throws IOException {
    String value = "/Volumes/main/ops/chk/new";
    JobSwitch change = change(cutover);
    assertThat(change.diff()).containsExactly(diff.replace("NEW'", value + "'"));
    try (WorkspaceServer server = new WorkspaceServer()) {
      Jobs jobs = WorkspaceJobs.of("new", server.settings(), new PassingTime());
      long job = server.addJob(JOB);
      JsonNode before = server.settings(job);
      jobs.update(job, change.settings().toDo(before), List.of());
      JsonNode now = server.settings(job);
      assertThat(now.at(pointer).asText()).isEqualTo(value);
      assertThat(change.settings().toDo(now)).isEmpty();
      assertThat(change.settings().foreign(now)).isEmpty();
      JobDefinition read = jobs.job(new JobReference.ById(job));
      assertThat(read.settings()).isEqualTo(now);
      jobs.update(job, change.settings().toUndo(now), change.settings().toRemove(now));
      assertThat(server.settings(job)).isEqualTo(before);
      assertThat(change.settings().toUndo(before)).isEmpty();
    }
  }

  /** What goes into the journal is the value alone, and what others change meanwhile stays. */
  @Test
  void keepsNothingElseOfTheSettings() throws IOException {
    JobSwitch change = change("task: python, environment: CHK");
    ObjectNode entry = JSON.createObjectNode();
    change.settings().addTo(entry);
    assertThat(entry.path("changes").toString())
        .isEqualTo(
            "[{\"setting\":\"tasks\",\"key\":\"python\",\"path\":[\"new_cluster\",\"spark_env_vars\","
                + "\"CHK\"],\"previous\":\"/old\",\"next\":\"/Volumes/main/ops/chk/new\"}]");
    JobSettings read = JobSettings.of(entry);
    JsonNode now =
        JSON.readTree(
            JOB.replace(
                "{\"CHK\": \"/old\"}", "{\"CHK\": \"/Volumes/main/ops/chk/new\", \"X\": \"1\"}"));
    assertThat(read.foreign(now)).isEmpty();
    assertThat(read.toUndo(now).at("/tasks/0/new_cluster/spark_env_vars").toString())
        .isEqualTo("{\"CHK\":\"/old\",\"X\":\"1\"}");
    assertThat(read.foreign(JSON.readTree(JOB.replace("/old", "/third"))))
        .singleElement()
        .satisfies(
            value ->
                assertThat(value.text()).isEqualTo("tasks.python.new_cluster.spark_env_vars.CHK"));
  }

  @Test
  void findsAnArgumentWithItsValueBehindAnEqualsSign() throws IOException {
    JobSwitch change = change("task: python, taskParameter: --checkpoint, value: /mnt/new");
    assertThat(
            change
                .settings()
                .toDo(JSON.readTree(JOB))
                .at("/tasks/0/spark_python_task/parameters/2")
                .asText())
        .isEqualTo("--checkpoint=/mnt/new");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "parameter: chekpoint | no job parameter 'chekpoint'",
        "task: jar, taskParameter: chk | no parameter 'chk' in its task jar",
        "task: notebook, taskParameter: chekpoint | no parameter 'chekpoint' in its task notebook",
        "task: arguments, taskParameter: chk | no parameter 'chk' in its task arguments",
        "task: gone, taskParameter: chk | no task 'gone'",
        "task: bare, environment: CHK | no cluster of its own",
        "sparkConf: chk | more than one cluster"
      })
  void refusesAPlaceThatTheJobDoesNotHave(String cutover, String message) {
    assertThatThrownBy(() -> change(cutover))
        .isInstanceOf(RefusedException.class)
        .hasMessageContaining("job 1 (orders) has " + message);
  }
}
