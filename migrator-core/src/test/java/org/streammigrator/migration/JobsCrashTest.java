package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.streammigrator.migration.JobsHome.CUTOVER;
import static org.streammigrator.migration.JobsHome.STOP;
import static org.streammigrator.migration.JobsHome.newest;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
