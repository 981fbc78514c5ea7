package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.migration.JobsHome.CUTOVER;
import static org.streammigrator.migration.JobsHome.STOP;
import static org.streammigrator.migration.JobsHome.newest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;

/** Whatever happens at whatever call, the same command goes on, and rollback undoes it. */
@Timeout(120)
class JobsCrashTest {
  @TempDir private Path directory;

  private JobsHome home(String name) throws IOException {
    JobsHome home = new JobsHome(Files.createDirectories(directory.resolve(name)));
    home.plan(STOP, CUTOVER);
    home.old.startRun(home.oldJob);
    return home;
  }

  /** Every call of the API, refused or with its answer lost; every other one is rolled back. */
  @Test
  void endsTheSameWhereverTheWorkspaceFails() throws IOException {
    int calls;
    try (JobsHome whole = home("whole")) {
      assertThat(whole.run("apply", "plan.yaml")).as(whole.printed()).isZero();
      calls = whole.requests();
    }
    for (int call = 1; call <= calls; call++) {
      for (boolean afterwards : new boolean[] {false, true}) {
        String name = call + (afterwards ? "-after" : "-before");
        try (JobsHome home = home(name)) {
          home.breakFrom(call, afterwards);
          int exit = home.run("apply", "plan.yaml");
          home.mend();
          ends(home, name, exit, call % 2 == 0);
        }
      }
    }
  }

  /** Calls of the store, at which the process dies. */
  @Test
  void endsTheSameWhereverTheProcessDies() throws IOException {
    FaultStore counting = FaultStore.counting(new LocalStore());
    try (JobsHome whole = home("whole")) {
      assertThat(whole.run(counting, "apply", "plan.yaml")).as(whole.printed()).isZero();
    }
    int number = 0;
    for (int write : counting.writes()) {
      number++;
      String name = "write-" + write;
      try (JobsHome home = home(name)) {
        FaultStore.Fault fault = number % 2 == 0 ? FaultStore.Fault.BEFORE : FaultStore.Fault.AFTER;
        int exit =
            home.run(FaultStore.crashingAt(write, fault, new LocalStore()), "apply", "plan.yaml");
        ends(home, name, exit, number % 3 == 0);
      }
    }
    assertThat(number).isGreaterThan(15);
  }

  /** Rolling back is taken up again, too, whichever call of the API fails or loses its answer. */
  @Test
  void rollsBackWhereverTheWorkspaceFails() throws IOException {
    int calls;
    try (JobsHome whole = watched("whole")) {
      int before = whole.requests();
      assertThat(whole.run("rollback", "plan.yaml")).as(whole.printed()).isZero();
      calls = whole.requests() - before;
    }
    assertThat(calls).isGreaterThan(5);
    for (int call = 1; call <= calls; call++) {
      for (boolean afterwards : new boolean[] {false, true}) {
        String name = call + (afterwards ? "-after" : "-before");
        try (JobsHome home = watched(name)) {
          home.breakFrom(call, afterwards);
          assertThat(home.run("rollback", "plan.yaml")).as(name + home.printed()).isEqualTo(5);
          home.mend();
          ends(home, name, 5, true);
        }
      }
    }
  }

  /** What was refused after the new job was put back is cut over anew by the next apply. */
  @Test
  void cutsOverAnewWhatWasTakenBackAndNotRemoved() throws IOException {
    try (JobsHome home = watched("anew")) {
      home.next.before(
          "POST update",
          () -> {
            try {
              Path v2 = home.directory.resolve("v2");
              JobsHome.writeBatch(v2, newest(v2.resolve("offsets")) + 1);
            } catch (IOException failed) {
              throw new AssertionError(failed);
            }
          });
      assertThat(home.run("rollback", "plan.yaml")).as(home.printed()).isEqualTo(3);
      assertThat(home.said()).contains("NEW_BATCHES_LOST", "its job is as it was");
      assertThat(home.next.activeRuns(home.newJob)).isEmpty();
      assertThat(home.next.settings(home.newJob).at("/parameters/1/default").asText())
          .isEqualTo("/nowhere");
      home.next.query(home.newJob, JobsHome::batch);
      assertThat(home.run("apply", "plan.yaml")).as(home.printed()).isZero();
      assertThat(home.next.activeRuns(home.newJob)).hasSize(1);
    }
  }

  /** A new query that is started and does nothing yet. */
  private JobsHome watched(String name) throws IOException {
    JobsHome home = home(name);
    home.plan(STOP, CUTOVER.replace("start: true", "start: true, watch: {timeout: 5s}"));
    home.next.query(home.newJob, run -> Optional.empty());
    assertThat(home.run("apply", "plan.yaml")).as(home.printed()).isEqualTo(7);
    return home;
  }

  private static void ends(JobsHome home, String name, int exit, boolean isBack)
      throws IOException {
    if (isBack) {
      int rolledBack =
          home.run("rollback", "plan.yaml", "--take-over", "--accept", "NEW_BATCHES_LOST");
      assertThat(rolledBack).as(name + " " + exit + " " + home.printed()).isZero();
      assertThat(home.directory.resolve("v2")).as(name).doesNotExist();
      assertThat(home.old.settings(home.oldJob).at("/continuous/pause_status").asText())
          .as(name)
          .isEqualTo("UNPAUSED");
      assertThat(home.next.settings(home.newJob).at("/parameters/1/default").asText())
          .as(name)
          .isEqualTo("/nowhere");
      assertThat(home.next.settings(home.newJob).at("/schedule/pause_status").asText())
          .as(name)
          .isEqualTo("PAUSED");
      assertThat(home.next.activeRuns(home.newJob)).as(name).isEmpty();
      return;
    }
    int again = home.run("apply", "plan.yaml", "--take-over");
    assertThat(again).as(name + " " + exit + " " + home.printed()).isZero();
    long last = newest(home.directory.resolve("v1/offsets"));
    assertThat(home.upTo("v2", last)).as(name).isNotEmpty();
    home.upTo("v2", last)
        .forEach(
            (file, text) ->
                assertThat(home.directory.resolve("v1").resolve(file)).as(name).hasContent(text));
    assertThat(home.old.activeRuns(home.oldJob)).as(name).isEmpty();
    assertThat(home.next.runs()).as(name + ": the job was started once").hasSize(1);
    assertThat(newest(home.directory.resolve("v2/commits"))).as(name).isGreaterThan(last);
  }
}
