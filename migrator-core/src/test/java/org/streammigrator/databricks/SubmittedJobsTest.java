package org.streammigrator.databricks;

import static org.assertj.core.api.Assertions.assertThat;

import com.databricks.sdk.service.jobs.RunResultState;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code job run} with the runner databricks, whose runs do what a test says. */
@Timeout(60)
class SubmittedJobsTest {
  private static final String NEW = ",'sparkVersion':'17.3.x-scala2.13','nodeType':'m5d.large'";
  private static final String THERE = ",'cluster':'0327-100000-abc'";

  @TempDir private Path directory;
  private SubmittingHome home;

  @BeforeEach
  void open() throws IOException {
    home = new SubmittingHome(directory);
  }

  @AfterEach
  void close() {
    home.close();
  }

  private static void until(BooleanSupplier holds) {
    while (!holds.getAsBoolean()) {
      LockSupport.parkNanos(2_000_000);
    }
  }

  private ObjectNode submitted(int run) {
    return home.server.runs().get(run).settings();
  }

  @Test
  void uploadsTheJarOnceAndHandsOnTheResult() throws IOException {
    home.dedup(
        home.jar() + NEW + ",'workers':3,'policy':'P1','timeout':'2h','conf':{'spark.b':'2'}");
    home.server.execute(
        task -> {
          assertThat(home.spec(task).path("table").asText()).isEqualTo("/lake/orders");
          assertThat(home.spec(task).has("runner")).isFalse();
          home.end(task, 0, SubmittingHome.DEDUP_RESULT);
        });
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(home.out().strip()).isEqualTo(SubmittingHome.DEDUP_RESULT);
    assertThat(home.err()).contains("submitted run 1001").contains(home.server.host());
    String jars = SubmittingHome.VOLUME + "/jars/jobs-";
    ObjectNode body = submitted(0);
    assertThat(body.path("idempotency_token").asText()).hasSizeBetween(20, 64);
    body.remove("idempotency_token");
    String jar = body.at("/tasks/0/libraries/0/jar").asText();
    assertThat(jar).startsWith(jars).matches(".*-[0-9a-f]{64}\\.jar");
    String place = body.at("/tasks/0/spark_jar_task/parameters/0").asText();
    assertThat(place).matches(SubmittingHome.VOLUME + "/jobs/dedup-[0-9a-f]{24}/1");
    assertThat(body)
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {'run_name':'migrator dedup','timeout_seconds':7200,'tasks':[{
                     'task_key':'dedup','spark_jar_task':{
                      'main_class_name':'org.streammigrator.jobs.DatabricksMain',
                      'parameters':['%s']},
                     'libraries':[{'jar':'%s'}],
                     'new_cluster':{'spark_version':'17.3.x-scala2.13','num_workers':3,
                      'data_security_mode':'SINGLE_USER','node_type_id':'m5d.large',
                      'policy_id':'P1','apply_policy_default_values':true,
                      'spark_conf':{'spark.b':'2'}}}]}
                    """
                        .formatted(place, jar)
                        .replace('\'', '"')));

    assertThat(home.run()).isZero();
    assertThat(home.server.runs()).as("what was asked again is computed again").hasSize(2);
    assertThat(submitted(1).at("/tasks/0/spark_jar_task/parameters/0").asText()).endsWith("/2");
    assertThat(home.uploads("jobs-")).as("uploads of the jar").isEqualTo(1);
    assertThat(home.out() + home.err() + home.everythingInTheVolume() + submitted(0))
        .doesNotContain(VolumesServer.TOKEN);
  }

  @Test
  void handsOnExitCodeAndMessagesOfTheJob() throws IOException {
    home.dedup(home.jar() + THERE);
    home.server.execute(
        task -> {
          home.end(task, 3, null, "refused: nothing was written", "NULL_KEYS: id: 3 rows");
          throw new IOException("the job ended with exit code 3");
        });
    assertThat(home.run()).isEqualTo(3);
    assertThat(home.err()).contains("migrator: NULL_KEYS: id: 3 rows");
    assertThat(home.out()).isEmpty();
    assertThat(submitted(0).at("/tasks/0/existing_cluster_id").asText())
        .isEqualTo("0327-100000-abc");
    assertThat(submitted(0).has("timeout_seconds")).isFalse();
  }

  @Test
  void tellsHowFarItIs() throws IOException {
    home.spec(
        "'job':'backfill','sources':[{'name':'o','delta':'/lake/o'}],"
            + "'sink':{'delta':'/lake/s','keys':['k']}",
        home.jar() + THERE);
    String chunk = "{\"event\":\"chunk\",\"job\":\"backfill\",\"number\":%d,\"chunks\":3,";
    String done = "\"status\":\"done\",\"rows\":8,\"version\":%d}\n";
    home.server.execute(
        task -> {
          String told = "";
          for (int i = 0; i < 3; i++) {
            told += (chunk + done).formatted(i, i + 1);
            home.write(task, "progress.jsonl", told);
            int before = home.server.volumes().requests().size();
            until(
                () ->
                    home.server.volumes().requests().stream()
                        .skip(before)
                        .anyMatch(line -> line.matches("GET files/.*progress.jsonl")));
          }
          home.end(
              task,
              0,
              "{\"schema\":\"migrator/job-result/1\",\"job\":\"backfill\",\"ok\":true,\"id\":\"i\"}");
        });
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(home.err().lines().filter(line -> line.contains("chunk")).toList()).hasSize(3);
    assertThat(home.pauses).isSorted();
  }

  @Test
  void saysWhyARunFailed() throws IOException {
    home.dedup(home.jar() + NEW);
    home.server.execute(
        task -> {
          throw new IOException("java.lang.OutOfMemoryError: Java heap space");
        });
    assertThat(home.run()).isEqualTo(5);
    assertThat(home.err())
        .contains("run 1001 (TERMINATED FAILED: Workload failed, see run output for details)")
        .contains(home.server.host() + "/?o=1#job/0/run/1001")
        .contains("the driver says: java.lang.OutOfMemoryError: Java heap space");
    home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
    assertThat(home.run()).as("the next one is another run").isZero();
    assertThat(home.server.runs()).hasSize(2);
  }

  @ParameterizedTest
  @CsvSource({
    "CANCELED, was cancelled",
    "TIMEDOUT, took longer than runner.timeout",
    "MAXIMUM_CONCURRENT_RUNS_REACHED, did not start",
    "SUCCESS, ended well and left no outcome"
  })
  void saysHowARunEnded(RunResultState how, String text) throws IOException {
    home.dedup(home.jar() + NEW);
    home.server.execute(
        task -> home.server.endRun(home.server.runs().get(0).id(), how, "so it is"));
    assertThat(home.run()).isEqualTo(5);
    assertThat(home.err()).contains(how + ": so it is", text, "/run/1001");
  }

  @Test
  void whatOnlyReadsHasFailedWhenItsRunHas() throws IOException {
    home.spec(
        "'job':'validate','source':{'name':'o','delta':'/lake/o'},'sink':{'delta':'/lake/s'}",
        home.jar() + NEW);
    home.server.execute(
        task -> {
          throw new IOException("no");
        });
    assertThat(home.run()).isEqualTo(1);
  }

  @Test
  void sendsAgainWhatWasNotAnsweredAndHasOneRun() throws IOException {
    home.dedup(home.jar() + THERE);
    home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
    home.server.trouble("POST runs/submit", 429, "1", "{}");
    home.server.trouble("POST runs/submit", 503, null, "{}");
    home.server.trouble("POST runs/submit", 1, null, "");
    home.server.trouble("GET runs/get", 503, null, "{}");
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(home.server.runs()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"spec.json", "run.json", "closed.json"})
  void whoeverComesBackHasTheSameRun(String lost) throws IOException {
    home.dedup(home.jar() + THERE);
    home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
    String digest = "PUT files" + SubmittingHome.VOLUME;
    // The program ends at this request.
    home.server.volumes().trouble(line -> line.startsWith(digest) && line.contains(lost), 403);
    assertThat(home.run()).isNotZero();
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(home.out().strip()).isEqualTo(SubmittingHome.DEDUP_RESULT);
    assertThat(home.server.runs()).hasSize(1);
    assertThat(home.uploads("jobs-")).isEqualTo(1);
  }

  @Test
  void whoeverComesBackAfterAKillHasTheSameRun() throws Exception {
    home.dedup(home.jar() + THERE);
    CountDownLatch killed = new CountDownLatch(1);
    home.server.execute(
        task -> {
          killed.await();
          home.end(task, 0, SubmittingHome.DEDUP_RESULT);
        });
    Process process = home.start();
    until(() -> !process.isAlive() || home.uploads("run.json") > 0);
    process.destroyForcibly().waitFor();
    killed.countDown();
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(home.err()).contains("waiting for run 1001").contains("submitted before");
    assertThat(home.out().strip()).isEqualTo(SubmittingHome.DEDUP_RESULT);
    assertThat(home.server.runs()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void anInterruptedProgramLeavesTheRunOrCancelsIt(boolean cancels) throws Exception {
    home.dedup(home.jar() + THERE + (cancels ? ",'onInterrupt':'cancel'" : ""));
    home.server.execute(task -> new CountDownLatch(1).await());
    Process process = home.start();
    until(() -> !process.isAlive() || said(process, "submitted run 1001"));
    // A background job of a shell, and so what a test started there starts, ignores SIGINT.
    assertThat(new ProcessBuilder("kill", "-TERM", Long.toString(process.pid())).start().waitFor())
        .isZero();
    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(143);
    assertThat(home.saidByProcess())
        .contains(
            cancels
                ? "cancelled run 1001"
                : "goes on in the workspace; the same command waits for it again");
    assertThat(home.server.requests().stream().filter("POST runs/cancel"::equals).count())
        .isEqualTo(cancels ? 1 : 0);
    if (cancels) {
      home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
      assertThat(home.run()).as("the next one is another run").isZero();
      assertThat(home.server.runs()).hasSize(2);
    }
  }

  private boolean said(Process process, String text) {
    try {
      return home.saidByProcess().contains(text);
    } catch (IOException notYet) {
      return !process.isAlive();
    }
  }

  @Test
  void whatOnlyReadIsAskedAnewOnceItHasEnded() throws IOException {
    home.spec("'job':'dedup','table':'/lake/o','keys':['id'],'dryRun':true", home.jar() + THERE);
    home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
    home.server
        .volumes()
        .trouble(line -> line.startsWith("PUT ") && line.contains("closed.json"), 403);
    assertThat(home.run()).isEqualTo(5);
    assertThat(home.run()).isZero();
    assertThat(home.server.runs()).hasSize(2);
  }

  @Test
  void serverlessTakesJarsAsDependenciesOfItsEnvironment() throws IOException {
    home.spec(
        "'job':'validate','source':{'name':'o','delta':'/lake/o'},'sink':{'delta':'/lake/s'}",
        home.jar() + ",'environment':'4'");
    home.server.execute(
        task -> {
          assertThat(task.jars()).hasSize(1);
          home.end(
              task, 6, "{\"schema\":\"migrator/job-result/1\",\"job\":\"validate\",\"ok\":false}");
        });
    assertThat(home.run()).as(home.err()).isEqualTo(6);
    assertThat(home.out()).contains("\"ok\":false");
    assertThat(submitted(0).at("/environments/0/spec/environment_version").asText()).isEqualTo("4");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "'job':'state','state':{'checkpoint':'/Volumes/a/b/c/chk','batch':4}",
        "'job':'copy','from':'/Volumes/a/b/c/old','to':'/Volumes/a/b/c/new'",
        "'job':'dedup','table':'/lake/o','keys':['id']"
      })
  void serverlessRefusesWhatNeedsSparksOwnClasses(String job) throws IOException {
    home.spec(job, home.jar() + ",'environment':'4'");
    assertThat(home.run()).isEqualTo(2);
    assertThat(home.err())
        .contains("runner.environment", "needs Spark's own classes", "cluster or sparkVersion");
    assertThat(home.server.runs()).isEmpty();
    assertThat(home.server.volumes().requests()).noneMatch(line -> line.startsWith("PUT"));
  }

  @Test
  void tellsAllThatIsWrongWithARunner() throws IOException {
    home.spec(
        "'job':'dedup','table':'/lake/o','keys':['id']",
        ",'cluster':'c','environment':'3','memory':'4g','timeout':'0s','onInterrupt':'stop'");
    assertThat(home.run()).isEqualTo(2);
    assertThat(home.err())
        .contains("runner.memory does nothing with databricks")
        .contains("runner.environment is too much: give one of cluster")
        .contains("runner.timeout is no length of time such as 6h")
        .contains("runner.onInterrupt is neither leave nor cancel");
    home.dedup(",'sparkVersion':'17.3.x-scala2.13','workers':0");
    assertThat(home.run()).isEqualTo(2);
    assertThat(home.err())
        .contains("runner.nodeType is missing")
        .contains("runner.workers is no number from 1 to 99999");
    assertThat(home.server.requests()).isEmpty();
  }

  @Test
  void tellsOfAWorkspaceAndAJarThatAreNotThere() throws IOException {
    home.dedup(THERE + ",'jar':'/nowhere/jobs.jar'");
    assertThat(home.run()).isEqualTo(1);
    assertThat(home.err()).contains("/nowhere/jobs.jar is not there, and is to be uploaded");
    home.dedup(THERE + ",'jar':'/Volumes/a/b/c/own.jar'");
    home.server.execute(task -> home.end(task, 0, SubmittingHome.DEDUP_RESULT));
    assertThat(home.run()).as(home.err()).isZero();
    assertThat(submitted(0).at("/tasks/0/libraries").toString())
        .isEqualTo("[{\"jar\":\"/Volumes/a/b/c/own.jar\"}]");
    java.nio.file.Files.writeString(directory.resolve("workspaces.yaml"), "storage: {}\n");
    assertThat(home.run()).isEqualTo(2);
    assertThat(home.err()).contains("there is no workspace ops");
    assertThat(List.of(home.server.runs().size())).containsExactly(1);
  }
}
