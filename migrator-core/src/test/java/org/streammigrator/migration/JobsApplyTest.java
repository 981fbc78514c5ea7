package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.migration.JobsHome.CUTOVER;
import static org.streammigrator.migration.JobsHome.STOP;
import static org.streammigrator.migration.JobsHome.changes;
import static org.streammigrator.migration.JobsHome.newest;

import com.databricks.sdk.service.jobs.RunResultState;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The jobs of a stream: stopped before its checkpoint is copied, switched and watched after it. */
@Timeout(60)
class JobsApplyTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path directory;
  private JobsHome home;
  private ObjectNode oldSettings;
  private ObjectNode newSettings;

  @BeforeEach
  void begin() throws IOException {
    home = new JobsHome(directory);
    oldSettings = home.old.settings(home.oldJob);
    newSettings = home.next.settings(home.newJob);
  }

  @AfterEach
  void end() {
    home.close();
  }

  private void runs(int exit, String... arguments) {
    assertThat(home.run(arguments)).as(home.printed()).isEqualTo(exit);
  }

  private void jobsAreAsTheyWere() {
    assertThat(home.old.settings(home.oldJob)).isEqualTo(oldSettings);
    assertThat(home.next.settings(home.newJob)).isEqualTo(newSettings);
  }

  @Test
  void planShowsWhatWouldBeDoneAndOnlyReads() throws IOException {
    home.plan(STOP, CUTOVER);
    long run = home.old.startRun(home.oldJob);
    runs(0, "plan", "plan.yaml", "-o", "json");
    JsonNode stream = JSON.readTree(home.printed()).at("/streams/0");
    assertThat(stream.path("steps").findValuesAsText("kind"))
        .containsExactly("quiesce", "write", "verify", "publish", "cutover", "watch");
    assertThat(stream.at("/steps/0/description").asText())
        .contains("pause its continuous mode, cancel run " + run)
        .contains("make sure for 10s");
    assertThat(stream.at("/steps/4/description").asText())
        .contains("parameters.checkpoint: '/nowhere' -> 'file:" + directory.resolve("v2") + "'")
        .contains("schedule.pause_status: PAUSED -> UNPAUSED")
        .contains("start it");
    assertThat(stream.at("/findings/0/code").asText()).isEqualTo("ACTIVE_RUN");
    assertThat(stream.at("/findings/0/severity").asText()).isEqualTo("info");
    assertThat(changes(home.old)).isEmpty();
    assertThat(changes(home.next)).isEmpty();
    assertThat(home.requests()).as("calls of the API for a stream").isEqualTo(5);
    assertThat(directory.resolve("orders.journal")).doesNotExist();
    jobsAreAsTheyWere();
  }

  @Test
  void movesARunningQueryToAnotherWorkspace() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(0, "apply", "plan.yaml");
    long last = newest(directory.resolve("v1/offsets"));
    assertThat(home.old.activeRuns(home.oldJob)).isEmpty();
    assertThat(home.old.settings(home.oldJob).at("/continuous/pause_status").asText())
        .isEqualTo("PAUSED");
    assertThat(home.next.activeRuns(home.newJob)).hasSize(1);
    assertThat(JobsHome.checkpoint(home.next.settings(home.newJob)))
        .isEqualTo(directory.resolve("v2"));
    assertThat(home.upTo("v2", last)).isNotEmpty();
    assertThat(home.upTo("v1", last)).containsAllEntriesOf(home.upTo("v2", last));
    assertThat(newest(directory.resolve("v2/commits"))).isGreaterThan(last);
    assertThat(home.events())
        .containsSubsequence(
            "quiesce", "step-done", "resolved", "staged", "cutover", "run-started", "finished");
    assertThat(home.requests()).as("calls of the API for a stream").isBetween(15, 30);
    assertThat(home.said()).doesNotContain("dapiTESTTOKEN");
    int before = home.requests();
    runs(0, "apply", "plan.yaml");
    assertThat(home.requests()).isEqualTo(before);
    runs(0, "status", "plan.yaml");
    assertThat(home.said()).contains("done", "the new query has run");
  }

  @Test
  void refusesWhileARunIsActiveThatThePlanDoesNotStop() throws IOException {
    home.plan("job: {workspace: old, name: orders}", CUTOVER);
    home.old.startRun(home.oldJob);
    runs(3, "plan", "plan.yaml");
    assertThat(home.said()).contains("ACTIVE_RUN", "does not say how to stop it");
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("ACTIVE_RUN");
    assertThat(changes(home.old)).isEmpty();
    assertThat(directory.resolve("v2")).doesNotExist();
    jobsAreAsTheyWere();
  }

  @Test
  void refusesAContinuousJobThatWouldStartAgainByItself() throws IOException {
    home.plan("job: {workspace: old, name: orders}", "");
    home.old.restartTakes(1000);
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("ACTIVE_RUN", "its continuous mode", "is not paused");
  }

  @Test
  void provesThatAQueryWithoutARunIsQuiet() throws IOException {
    long manual = home.old.addJob("{\"name\":\"manual\"}");
    home.plan("job: {workspace: old, id: " + manual + "}", "");
    runs(0, "apply", "plan.yaml");
    assertThat(home.said()).contains("has no active run, and nothing was written for 10s");
    assertThat(changes(home.old)).isEmpty();
  }

  @Test
  void stopsARunThatAppearsInBetween() throws IOException {
    long scheduled =
        home.old.addJob(
            JobsHome.json(
                "{'name':'scheduled','trigger':{'file_arrival':{'url':'/Volumes/a/b/c/'}},"
                    + "'parameters':[{'name':'checkpoint','default':'V1'}]}"
                        .replace("V1", directory.resolve("v1").toString())));
    home.old.query(scheduled, JobsHome::batch);
    home.plan(
        "job: {workspace: old, id: " + scheduled + ", stop: cancel, maxConcurrentRuns: 1}", "");
    home.old.startRun(scheduled);
    AtomicBoolean late = new AtomicBoolean();
    home.time.atPause(
        duration -> {
          if (duration.equals(Duration.ofSeconds(10)) && !late.getAndSet(true)) {
            home.old.startRun(scheduled);
          }
        });
    runs(0, "apply", "plan.yaml");
    assertThat(home.said()).contains("after 2 that were cancelled");
    assertThat(home.old.activeRuns(scheduled)).isEmpty();
    assertThat(home.old.settings(scheduled).at("/trigger/pause_status").asText())
        .isEqualTo("PAUSED");
    assertThat(newest(directory.resolve("v2/offsets")))
        .isEqualTo(newest(directory.resolve("v1/offsets")));
    runs(0, "rollback", "plan.yaml");
    assertThat(home.old.settings(scheduled).path("trigger").has("pause_status")).isFalse();
  }

  @Test
  void refusesAnOldCheckpointThatSomebodyElseWrites() throws IOException {
    home.plan(STOP, CUTOVER);
    home.time.atPause(
        duration -> {
          if (duration.equals(Duration.ofSeconds(10))) {
            try {
              JobsHome.writeBatch(
                  directory.resolve("v1"), newest(directory.resolve("v1/offsets")) + 1);
            } catch (IOException failed) {
              throw new AssertionError(failed);
            }
          }
        });
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("OLD_CHECKPOINT_GROWS", "what else runs on");
    home.time.atPause(duration -> {});
    runs(0, "rollback", "plan.yaml");
    assertThat(home.said()).contains("the old query's job is as it was");
    jobsAreAsTheyWere();
  }

  @Test
  void waitsForAQueryThatEndsByItself() throws IOException {
    home.plan(STOP.replace("cancel", "wait"), CUTOVER);
    home.old.query(home.oldJob, JobsHome::once);
    home.old.startRun(home.oldJob);
    runs(0, "apply", "plan.yaml");
    assertThat(home.said()).contains("after 1 that was waited for");
    assertThat(changes(home.old)).containsExactly("POST update");
  }

  @Test
  void endsWithExitCodeSevenWhereARunDoesNotEnd() throws IOException {
    home.plan(STOP.replace("cancel", "wait, timeout: 1m"), CUTOVER);
    long run = home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml", "-o", "json");
    List<String> lines = home.printed().lines().toList();
    JsonNode result = JSON.readTree(lines.get(lines.size() - 1));
    assertThat(result.path("waitingFor").asText()).contains("run " + run, home.old.host());
    runs(0, "status", "plan.yaml");
    assertThat(home.said()).contains("is being stopped, and what starts it is paused");
    home.old.endRun(run, RunResultState.SUCCESS, "");
    runs(0, "apply", "plan.yaml");
  }

  @Test
  void holdsBeforeTheCutoverAndGoesOnLater() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml", "--hold");
    assertThat(home.said()).contains("the cutover, which is held");
    assertThat(changes(home.next)).isEmpty();
    runs(7, "apply", "plan.yaml", "--hold");
    runs(0, "status", "plan.yaml");
    assertThat(home.said()).contains("part-way", "apply the plan again for the cutover");
    runs(0, "plan", "plan.yaml");
    assertThat(home.said()).contains("parameters.checkpoint", "still to be switched");
    runs(0, "apply", "plan.yaml");
    assertThat(home.next.activeRuns(home.newJob)).hasSize(1);
    runs(2, "apply", "plan.yaml", "--hold", "--pre-copy");
  }

  @Test
  void aReportSaysWhatIsHeldAndWhatARollbackWouldPutBack() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml", "--hold", "--report", "r.md", "--report", "r.xml");
    String held = Files.readString(directory.resolve("r.md"));
    assertThat(held)
        .contains("**waiting**, exit code 7", "| held |", "| quiesce |", "| publish |")
        .contains("put the old query's job " + home.oldJob + " of workspace")
        .doesNotContain("end the runs of the new query's");
    assertThat(Files.readString(directory.resolve("r.xml")))
        .contains("<skipped message=\"held: the cutover, which is held");

    runs(0, "apply", "plan.yaml", "--report", "r.md");
    assertThat(Files.readString(directory.resolve("r.md")))
        .contains("| cutover |", "| watch |")
        .contains("end the runs of the new query's job " + home.newJob + " of workspace");
  }

  @Test
  void refusesTheCutoverWhereTheOldQueryWentOnWhileItWasHeld() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml", "--hold");
    home.old.startRun(home.oldJob);
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("ACTIVE_RUN", "was started after it was stopped");
    JobsHome.writeBatch(directory.resolve("v1"), 40);
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("OLD_CHECKPOINT_GROWS");
    assertThat(changes(home.next)).isEmpty();
  }

  @Test
  void rollsBackFromEveryPhase() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml", "--hold");
    runs(0, "rollback", "plan.yaml");
    jobsAreAsTheyWere();
    assertThat(directory.resolve("v2")).doesNotExist();

    home.next.query(home.newJob, run -> Optional.empty());
    home.plan(STOP, CUTOVER.replace("start: true", "start: true, watch: {timeout: 1m}"));
    runs(7, "apply", "plan.yaml");
    assertThat(home.said()).contains("1 batch of the new query (it has committed 0)");
    runs(0, "status", "plan.yaml");
    assertThat(home.said()).contains("the new query's job has the new checkpoint");
    runs(0, "rollback", "plan.yaml");
    jobsAreAsTheyWere();
    assertThat(home.next.activeRuns(home.newJob)).isEmpty();
    assertThat(directory.resolve("v2")).doesNotExist();

    home.next.query(home.newJob, JobsHome::batch);
    runs(0, "apply", "plan.yaml");
    runs(3, "rollback", "plan.yaml");
    assertThat(home.said()).contains("NEW_BATCHES_LOST");
    assertThat(home.next.activeRuns(home.newJob)).hasSize(1);
    runs(0, "rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST");
    jobsAreAsTheyWere();
    assertThat(home.next.activeRuns(home.newJob)).isEmpty();
    runs(0, "rollback", "plan.yaml");
  }

  @Test
  void switchesTheSameJobAndLetsItRunAgain() throws IOException {
    home.plan(
        STOP,
        "cutover: {workspace: old, id: "
            + home.oldJob
            + ", parameter: checkpoint, start: true, value: \""
            + directory.resolve("v2")
            + "\"}");
    home.old.startRun(home.oldJob);
    runs(0, "apply", "plan.yaml");
    ObjectNode now = home.old.settings(home.oldJob);
    assertThat(now.path("continuous")).isEqualTo(oldSettings.path("continuous"));
    assertThat(JobsHome.checkpoint(now)).isEqualTo(directory.resolve("v2"));
    assertThat(home.old.activeRuns(home.oldJob)).hasSize(1);
    assertThat(newest(directory.resolve("v2/commits")))
        .isGreaterThan(newest(directory.resolve("v1/commits")));
    runs(0, "rollback", "plan.yaml", "--accept", "NEW_BATCHES_LOST");
    jobsAreAsTheyWere();
  }

  @Test
  void waitsForWhoStartsTheJobHimself() throws IOException {
    home.plan(STOP, CUTOVER.replace(", start: true", ""));
    runs(7, "apply", "plan.yaml");
    assertThat(home.said()).contains("is active: start it");
    home.next.startRun(home.newJob);
    runs(0, "apply", "plan.yaml");
    assertThat(changes(home.next)).containsExactly("POST update");
  }

  @Test
  void failsWhereTheNewQueryFails() throws IOException {
    home.plan(STOP, CUTOVER);
    home.next.query(
        home.newJob,
        run -> {
          throw new IOException("it cannot read the table");
        });
    runs(6, "apply", "plan.yaml");
    assertThat(home.said()).contains("CUTOVER_FAILED", "TERMINATED FAILED", home.next.host());
    home.next.query(home.newJob, JobsHome::batch);
    home.next.startRun(home.newJob);
    runs(0, "apply", "plan.yaml");
  }

  @Test
  void rollsBackByItselfWhereThePlanSaysSo() throws IOException {
    home.plan(STOP, CUTOVER.replace("start: true", "start: true, watch: {onFailure: rollback}"));
    home.next.query(
        home.newJob,
        run -> {
          throw new IOException("it cannot read the table");
        });
    runs(6, "apply", "plan.yaml");
    assertThat(home.said()).contains("CUTOVER_FAILED", "rollback: rolled-back");
    assertThat(directory.resolve("v2")).doesNotExist();
    jobsAreAsTheyWere();
  }

  @Test
  void noticesAQueryThatDidNotStartAtThePlannedPosition() throws IOException {
    home.plan(STOP, CUTOVER);
    home.next.query(
        home.newJob,
        run -> {
          JobsHome.writeBatch(directory.resolve("v2"), newest(directory.resolve("v2/offsets")) + 5);
          return Optional.empty();
        });
    runs(6, "apply", "plan.yaml");
    assertThat(home.said()).contains("CUTOVER_FAILED", "did not start at the planned position");
    home.next.query(home.newJob, run -> Optional.empty());
    long last = newest(directory.resolve("v1/offsets"));
    Files.writeString(directory.resolve("v2/offsets/" + last), "v1\n{}\n-");
    runs(6, "apply", "plan.yaml");
    assertThat(home.said()).contains("offsets/" + last + " is not what was written there");
  }

  @Test
  void refusesWhatItDoesNotFind() throws IOException {
    home.plan("job: {workspace: old, id: 77, stop: cancel}", CUTOVER);
    runs(3, "plan", "plan.yaml");
    assertThat(home.said()).contains("JOB_NOT_FOUND", "Job 77 does not exist");
    home.plan(STOP, CUTOVER.replace("parameter: checkpoint", "parameter: chekpoint"));
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("JOB_SETTING_NOT_FOUND", "no job parameter 'chekpoint'");
    assertThat(changes(home.old)).isEmpty();
    home.plan(STOP, CUTOVER);
    home.next.query(home.newJob, run -> Optional.empty());
    home.next.startRun(home.newJob);
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("ACTIVE_RUN", "before the job is told its checkpoint");
    assertThat(changes(home.old)).isEmpty();
    jobsAreAsTheyWere();
  }

  @Test
  void refusesWhatThePlanLeavesOpenAndWhatIsNotAvailable() throws IOException {
    home.plan("job: {workspace: old, stop: cancel}", "cutover: {id: 5}");
    runs(3, "plan", "plan.yaml");
    assertThat(home.said())
        .contains("PLAN_INCOMPLETE", "job: it does not say which job is meant")
        .contains("add id or name of the job")
        .contains("add workspace, and id or name of the job");
    home.plan("job: {stop: command, command: stop.sh}", "cutover: {command: start.sh}");
    runs(3, "plan", "plan.yaml");
    assertThat(home.said())
        .contains("stopping a query by a command is not available")
        .contains("starting a query by a command is not available");
    assertThat(home.requests()).isZero();
  }

  @Test
  void goesOnWithASavedPlanThatWasHeld() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    runs(0, "plan", "plan.yaml", "--out", "saved.json");
    assertThat(Files.readString(directory.resolve("saved.json"))).doesNotContain("dapiTESTTOKEN");
    runs(7, "apply", "saved.json", "--hold");
    runs(0, "apply", "saved.json");
    runs(0, "plan", "saved.json", "--detailed-exitcode");
  }

  @Test
  void refusesAPlanThatNamesAnotherJobThanItBeganWith() throws IOException {
    home.plan(STOP.replace("cancel", "wait, timeout: 1m"), CUTOVER);
    home.old.startRun(home.oldJob);
    runs(7, "apply", "plan.yaml");
    long another = home.old.addJob("{\"name\":\"another\"}");
    home.plan("job: {workspace: old, id: " + another + ", stop: cancel}", CUTOVER);
    runs(3, "apply", "plan.yaml");
    assertThat(home.said()).contains("JOB_SETTINGS_CHANGED", "apply began with job " + home.oldJob);
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(
        directory.resolve("plan.yaml"),
        plan.replaceAll("  old: .*\n", "").replaceAll("    job: .*\n", ""));
    runs(5, "rollback", "plan.yaml");
    assertThat(home.said()).contains("workspace old, which the plan does not have");
    Files.writeString(directory.resolve("plan.yaml"), plan);
    runs(0, "rollback", "plan.yaml");
    jobsAreAsTheyWere();
  }

  @Test
  void leavesJobsAloneInARehearsal() throws IOException {
    home.plan("job: {workspace: old, name: orders}", CUTOVER);
    home.old.startRun(home.oldJob);
    runs(0, "rehearse", "plan.yaml");
    assertThat(home.requests()).isZero();
  }

  @Test
  void watchesForAsLongAsThePlanSays() throws IOException {
    home.plan(STOP, CUTOVER.replace("start: true", "start: true, watch: {batches: 3, time: 5m}"));
    Instant begun = home.time.now();
    runs(0, "apply", "plan.yaml");
    assertThat(Duration.between(begun, home.time.now())).isGreaterThan(Duration.ofMinutes(5));
    assertThat(newest(directory.resolve("v2/commits")))
        .isGreaterThanOrEqualTo(newest(directory.resolve("v1/commits")) + 3);
  }

  @Test
  void stopsAQueryInTheMiddleOfABatchAndLooksAgain() throws IOException {
    home.plan(STOP.replace("cancel", "wait"), CUTOVER);
    Files.writeString(
        directory.resolve("plan.yaml"),
        Files.readString(directory.resolve("plan.yaml"))
            .replace("strategy: relocate", "strategy: seed\n    identity: new"));
    Files.writeString(directory.resolve("v1/offsets/3"), "");
    home.old.query(
        home.oldJob,
        run -> {
          if (run.requests() < 8) {
            return Optional.empty();
          }
          JobsHome.writeBatch(directory.resolve("v1"), 3);
          return Optional.of(RunResultState.SUCCESS);
        });
    home.old.startRun(home.oldJob);
    runs(3, "plan", "plan.yaml");
    assertThat(home.said()).contains("OFFSETS_EMPTY");
    runs(0, "apply", "plan.yaml");
    assertThat(directory.resolve("v2/commits/3")).exists();
    assertThat(Files.readString(directory.resolve("v2/metadata"))).doesNotContain("11111111");
  }

  @Test
  void refusesCredentialsThatTheWorkspaceDoesNotTake() throws IOException {
    home.plan(STOP, CUTOVER);
    String plan = Files.readString(directory.resolve("plan.yaml"));
    Files.writeString(directory.resolve("plan.yaml"), plan.replace("OLD_TOKEN", "WRONG_TOKEN"));
    runs(3, "apply", "plan.yaml");
    assertThat(home.said())
        .contains("UNREADABLE", "PERMISSION_DENIED", "access to the job")
        .doesNotContain("dapiSTRANGER");
    assertThat(directory.resolve("orders.journal")).doesNotExist();
  }

  @Test
  void stopsPartWayWhereTheWorkspaceIsTooBusyAndGoesOn() throws IOException {
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    for (int i = 0; i < 5; i++) {
      home.old.trouble("POST runs/cancel", 503, null, "{\"message\":\"busy\"}");
    }
    runs(5, "apply", "plan.yaml");
    assertThat(home.said()).contains("busy", "stopped part-way");
    runs(0, "apply", "plan.yaml");
  }

  @Test
  void warnsOfSpareRunsAndSetsThemWhereThePlanSaysSo() throws IOException {
    long spare = home.old.addJob("{\"name\":\"spare\",\"max_concurrent_runs\":3}");
    String job = "job: {workspace: old, id: " + spare + ", stop: cancel";
    home.plan(job + "}", "");
    runs(0, "plan", "plan.yaml");
    assertThat(home.said()).contains("JOB_SPARE_RUNS", "3 runs at once");
    home.plan(job + ", maxConcurrentRuns: 1}", "");
    runs(0, "plan", "plan.yaml");
    assertThat(home.said()).doesNotContain("JOB_SPARE_RUNS").contains("set max_concurrent_runs");
    runs(0, "apply", "plan.yaml");
    assertThat(home.old.settings(spare).path("max_concurrent_runs").asLong()).isEqualTo(1);
    runs(0, "rollback", "plan.yaml");
    assertThat(home.old.settings(spare).path("max_concurrent_runs").asLong()).isEqualTo(3);
  }

  @Test
  void leavesWhatSomebodyElseChangedMeanwhile() throws IOException {
    home.plan(STOP, CUTOVER);
    home.next.query(home.newJob, run -> Optional.empty());
    home.plan(STOP, CUTOVER.replace("start: true", "start: true, watch: {timeout: 1m}"));
    runs(7, "apply", "plan.yaml");
    home.next.change(home.newJob, "{\"parameters\":[{\"name\":\"checkpoint\",\"default\":\"x\"}]}");
    runs(0, "rollback", "plan.yaml");
    assertThat(home.said()).contains("JOB_SETTINGS_CHANGED", "put back yourself", "/nowhere");
    assertThat(home.old.settings(home.oldJob)).isEqualTo(oldSettings);
  }
}
