package org.streammigrator.databricks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.databricks.sdk.service.jobs.RunResultState;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WorkspaceJobsTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String CONTINUOUS =
      "{'name':'orders','continuous':{'pause_status':'UNPAUSED','task_retry_mode':'NEVER'},"
          + "'parameters':[{'name':'checkpoint','default':'/old'},{'name':'a','default':'1'},"
          + "{'name':'b','default':'2'}],'tasks':[{'task_key':'t1','notebook_task':"
          + "{'notebook_path':'/n'}},{'task_key':'t2'},{'task_key':'t3'}],'tags':{'team':'x'}}";

  private final PassingTime time = new PassingTime();
  private WorkspaceServer server;
  private Jobs jobs;

  @BeforeEach
  void start() throws IOException {
    server = new WorkspaceServer();
    jobs = WorkspaceJobs.of("old", server.settings(), time);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private long add(String settings) throws IOException {
    return server.addJob(settings.replace('\'', '"'));
  }

  private static ObjectNode json(String text) throws IOException {
    return (ObjectNode) JSON.readTree(text.replace('\'', '"'));
  }

  @Test
  void findsAJobByIdAndByNameWithAllPagesOfItsSettings() throws IOException {
    long id = add(CONTINUOUS);
    JobDefinition byId = jobs.job(new JobReference.ById(id));
    assertThat(byId.settings()).isEqualTo(json(CONTINUOUS));
    assertThat(byId.maxConcurrentRuns()).isEqualTo(1);
    assertThat(byId.trigger().orElseThrow().isContinuous()).isTrue();
    assertThat(byId.trigger().orElseThrow().isPaused()).isFalse();
    assertThat(byId.task("t3")).isPresent();
    assertThat(jobs.job(new JobReference.ByName("orders"))).isEqualTo(byId);
  }

  @Test
  void refusesAJobThatIsNotThereOrNotTheOnlyOneOfItsName() throws IOException {
    assertThatThrownBy(() -> jobs.job(new JobReference.ById(99)))
        .isInstanceOfSatisfying(
            JobsApiException.class, missing -> assertThat(missing.isMissing()).isTrue())
        .hasMessageContaining("Job 99 does not exist");
    add("{'name':'Twice'}");
    assertThatThrownBy(() -> jobs.job(new JobReference.ByName("twice")))
        .hasMessageContaining("there is no job 'twice'");
    add("{'name':'Twice'}");
    add("{'name':'Twice'}");
    assertThatThrownBy(() -> jobs.job(new JobReference.ByName("Twice")))
        .hasMessageContaining("more than one job")
        .hasMessageContaining("1001, 1002, 1003");
  }

  @Test
  void listsAllPagesOfTheActiveRuns() throws IOException {
    long job = add("{'name':'many','max_concurrent_runs':9}");
    for (int i = 0; i < 5; i++) {
      server.startRun(job);
    }
    server.endRun(server.runs().get(0).id(), RunResultState.FAILED, "it broke");
    server.startRun(add("{'name':'another'}"));
    assertThat(jobs.activeRuns(job))
        .extracting(JobRun::id)
        .containsExactly(1003L, 1004L, 1005L, 1006L);
    JobRun ended = jobs.run(1002);
    assertThat(ended.isActive()).isFalse();
    assertThat(ended.succeeded()).isFalse();
    assertThat(ended.text()).contains("TERMINATED FAILED: it broke").contains(server.host());
  }

  @Test
  void cancelsARunAndWaitsForItsEndWithLongerPauses() throws IOException {
    long job = add("{'name':'slow'}");
    server.cancelTakes(6);
    long run = server.startRun(job);
    JobRun ended = new RunEnd(jobs, time).cancel(run, Duration.ofMinutes(5));
    assertThat(ended.result()).contains("CANCELED");
    assertThat(time.pauses()).isSorted().hasSizeBetween(4, 7);
    server.cancelTakes(1_000_000);
    long stuck = server.startRun(job);
    assertThat(new RunEnd(jobs, time).cancel(stuck, Duration.ofMinutes(5)).isActive()).isTrue();
  }

  @Test
  void pausesAndUnpausesAContinuousJobWhoseRunsComeBackByThemselves() throws IOException {
    long job = add(CONTINUOUS);
    JobTrigger trigger = jobs.job(new JobReference.ById(job)).trigger().orElseThrow();
    jobs.run(server.startRun(job));
    server.cancelTakes(0);
    jobs.cancel(server.activeRuns(job).get(0));
    jobs.job(new JobReference.ById(job));
    jobs.job(new JobReference.ById(job));
    assertThat(server.activeRuns(job)).hasSize(1);
    jobs.update(job, trigger.paused(), List.of());
    jobs.cancel(server.activeRuns(job).get(0));
    for (int i = 0; i < 5; i++) {
      assertThat(jobs.activeRuns(job)).isEmpty();
    }
    jobs.update(job, trigger.asItStands(), List.of());
    assertThat(server.settings(job)).isEqualTo(json(CONTINUOUS));
    jobs.activeRuns(job);
    assertThat(jobs.activeRuns(job)).hasSize(1);
    assertThatThrownBy(() -> jobs.runNow(job, "t", Map.of())).hasMessageContaining("concurrent");
  }

  @Test
  void changesOneTaskAndKeepsTheOthers() throws IOException {
    long job = add(CONTINUOUS);
    jobs.update(job, json("{'tasks':[{'task_key':'t2','description':'changed'}]}"), List.of());
    assertThat(server.settings(job).path("tasks")).hasSize(3);
    assertThat(server.settings(job).at("/tasks/1/description").asText()).isEqualTo("changed");
    assertThatThrownBy(() -> jobs.update(job, json("{'taks':[]}"), List.of()))
        .hasMessageContaining("MALFORMED_REQUEST")
        .hasMessageContaining("taks");
  }

  @Test
  void startsARunOnceForEachToken() throws IOException {
    long job = add("{'name':'batch','max_concurrent_runs':2}");
    long run = jobs.runNow(job, "token-1", Map.of("checkpoint", "/new")).orElseThrow();
    assertThat(jobs.runNow(job, "token-1", Map.of())).contains(run);
    assertThat(jobs.runNow(job, "token-2", Map.of())).isNotEqualTo(run);
    assertThat(server.runs()).hasSize(2);
  }

  @Test
  void executesASubmittedJarTaskAndSaysWhatTheDriverSaid(@TempDir Path directory) throws Exception {
    Path written = directory.resolve("written");
    server.execute(
        task -> {
          assertThat(task.jars()).containsExactly("/Volumes/main/ops/chk/a.jar");
          if (task.parameters().get(0).equals("fail")) {
            throw new IOException("the driver's own words");
          }
          Files.writeString(written, task.mainClass());
        });
    long run = jobs.submit(submission("works", "t-1"));
    assertThat(jobs.submit(submission("works", "t-1"))).isEqualTo(run);
    assertThat(ended(run).succeeded()).isTrue();
    assertThat(written).hasContent("org.example.Main");
    JobRun failed = ended(jobs.submit(submission("fail", "t-2")));
    assertThat(failed.result()).contains("FAILED");
    assertThat(jobs.output(failed.tasks().get(0).run()).error())
        .isEqualTo("the driver's own words");
    assertThatThrownBy(() -> jobs.output(failed.id())).hasMessageContaining("each individual task");
  }

  @Test
  void cancelsWhatWasSubmitted() throws Exception {
    CountDownLatch stopped = new CountDownLatch(1);
    server.execute(
        task -> {
          try {
            new CountDownLatch(1).await();
          } finally {
            stopped.countDown();
          }
        });
    long run = jobs.submit(submission("waits", "t-1"));
    assertThat(new RunEnd(jobs, time).cancel(run, Duration.ofMinutes(1)).result())
        .contains("CANCELED");
    assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
  }

  @Test
  void sendsAgainWhatTheWorkspaceWasTooBusyFor() throws IOException {
    long job = add("{'name':'busy'}");
    server.trouble("GET runs/list", 429, "7", VolumesServer.error("RESOURCE_EXHAUSTED", "slow"));
    server.trouble("GET runs/list", 503, null, VolumesServer.error("TEMPORARILY_UNAVAILABLE", "x"));
    server.trouble("GET runs/list", 0, null, "");
    assertThat(jobs.activeRuns(job)).isEmpty();
    assertThat(time.pauses()).hasSizeBetween(2, 3).contains(Duration.ofSeconds(7));
    server.trouble("POST run-now", 1, null, "");
    jobs.runNow(job, "once", Map.of());
    assertThat(server.runs()).hasSize(1);
  }

  @Test
  void endsWithinABoundedTimeWhereNobodyAnswers() throws IOException {
    long job = add("{'name':'hangs'}");
    Jobs impatient = WorkspaceJobs.of("old", server.settings(), time, 1);
    server.late("GET runs/list", 1500);
    for (int i = 0; i < 40; i++) {
      server.trouble("GET runs/list", 0, null, "");
    }
    assertThatThrownBy(() -> impatient.activeRuns(job))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(server.host())
        .hasMessageContaining("active runs of job " + job)
        .hasMessageContaining("failed to respond");
    assertThat(time.pauses()).hasSize(3);
    server.close();
    assertThatThrownBy(() -> jobs.activeRuns(job))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(server.host())
        .hasMessageContaining("refused");
  }

  @Test
  void tellsNoSecret() throws IOException {
    Map<String, String> settings = server.settings();
    settings.put("databricks.token", "dapiWRONGSECRET");
    Jobs stranger = WorkspaceJobs.of("old", settings, time);
    assertThatThrownBy(() -> stranger.job(new JobReference.ById(1)))
        .hasMessageContaining("PERMISSION_DENIED")
        .hasMessageContaining("***")
        .satisfies(refused -> assertThat(refused.toString()).doesNotContain("WRONGSECRET"));
  }

  @Test
  void takesCredentialsFromAProfileAndFromOAuth(@TempDir Path directory) throws IOException {
    long job = add("{'name':'orders'}");
    Path file = directory.resolve("databrickscfg");
    Files.writeString(
        file, "[A]\nhost = " + server.host() + "\ntoken = " + VolumesServer.TOKEN + "\n");
    Map<String, String> profile =
        Map.of("databricks.profile", "A", "databricks.config_file", file.toString());
    assertThat(WorkspaceJobs.of("old", profile, time).activeRuns(job)).isEmpty();
    Map<String, String> service =
        Map.of(
            "databricks.host", server.host(),
            "databricks.client_id", "client",
            "databricks.client_secret", "clientSECRET");
    assertThat(WorkspaceJobs.of("old", service, time).activeRuns(job)).isEmpty();
    assertThatThrownBy(
            () -> WorkspaceJobs.of("old", Map.of("databricks.hots", server.host()), time))
        .hasMessageContaining("old: there is no setting databricks.hots");
  }

  private JobRun ended(long run) throws Exception {
    JobRun now = jobs.run(run);
    while (now.isActive()) {
      Thread.onSpinWait();
      now = jobs.run(run);
    }
    return now;
  }

  private static ObjectNode submission(String parameter, String token) throws IOException {
    return json(
        "{'run_name':'migrator','idempotency_token':'"
            + token
            + "','tasks':[{'task_key':'job','spark_jar_task':{'main_class_name':"
            + "'org.example.Main','parameters':['"
            + parameter
            + "']},'libraries':[{'jar':'/Volumes/main/ops/chk/a.jar'}],"
            + "'new_cluster':{'spark_version':'16.4.x-scala2.12','num_workers':1}}]}");
  }

  @Test
  void theDoubleRefusesWhatTheApiWouldNotTake() throws IOException {
    assertThatThrownBy(() -> jobs.submit(json("{'idempotency_token':'t','tasks':[]}")))
        .hasMessageContaining("At least one task");
    ObjectNode unknown = submission("x", "t");
    unknown.put("librarys", 1);
    assertThatThrownBy(() -> jobs.submit(unknown)).hasMessageContaining("librarys");
    ObjectNode long65 = submission("x", "t".repeat(65));
    assertThatThrownBy(() -> jobs.submit(long65)).hasMessageContaining("64 characters");
    assertThat(server.requests())
        .allMatch(line -> List.of("POST", "GET").contains(line.split(" ")[0]));
  }
}
