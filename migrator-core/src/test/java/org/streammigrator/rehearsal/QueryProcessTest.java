package org.streammigrator.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A command is started as it is written, and nothing of it is left. */
@Timeout(60)
class QueryProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @Test
  void aTextGoesToTheShellAndIsToldItsVariables() throws Exception {
    QueryProcess process = start("echo \"$PLACE\" in \"$(pwd)\"; exit 3");
    while (process.isAlive()) {
      Thread.sleep(5);
    }
    assertThat(process.end(LONG)).isFalse();
    assertThat(process.exit()).hasValue(3);
    assertThat(process.lines()).containsExactly("a b é in " + directory.toRealPath());
  }

  @Test
  void aWordThatNamesAFileIsThatProgram() throws Exception {
    Path program = directory.resolve("odd dir é/run me; exit 1");
    Files.createDirectories(program.getParent());
    Files.writeString(program, "#!/bin/sh\necho \"here $1\"\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    QueryProcess alone =
        QueryProcess.start(List.of("odd dir é/run me; exit 1"), directory, Map.of());
    QueryProcess withArgument =
        QueryProcess.start(List.of("odd dir é/run me; exit 1", "$x y"), directory, Map.of());
    while (alone.isAlive() || withArgument.isAlive()) {
      Thread.sleep(5);
    }
    alone.end(LONG);
    withArgument.end(LONG);
    assertThat(alone.lines()).containsExactly("here");
    assertThat(withArgument.lines()).containsExactly("here $x y");
  }

  @Test
  void whatIsNotThereCannotBeStarted() {
    assertThatThrownBy(
            () -> QueryProcess.start(List.of("no/such/program", "-v"), directory, Map.of()))
        .isInstanceOf(IOException.class);
  }

  @Test
  void whoEndsWhenAskedIsNotKilled() throws Exception {
    QueryProcess process =
        start("trap 'echo asked; exit 0' TERM; touch up; while :; do sleep 0.05; done");
    awaitFile("up");
    assertThat(process.end(LONG)).isFalse();
    assertThat(process.lines()).contains("asked");
  }

  @Test
  void whoDoesNotEndWhenAskedIsKilledWithItsWholeTree() throws Exception {
    QueryProcess process =
        start(
            "trap '' TERM; (trap '' TERM; sh -c 'echo $$ > inner; exec sleep 300') & echo $! > outer;"
                + " while [ ! -s inner ]; do sleep 0.02; done; touch up; wait; sleep 300");
    awaitFile("up");
    assertThat(process.isAlive()).isTrue();
    assertThat(process.end(Duration.ofMillis(200))).isTrue();
    assertThat(process.exit()).hasValue(128 + 9);
    assertGone("outer");
    assertGone("inner");
  }

  /** The parent is gone, so that the child is nobody's descendant any more. */
  @Test
  void whoWasSeenIsEndedThoughItsParentHasEnded() throws Exception {
    QueryProcess process = start("(sh -c 'echo $$ > inner; exec sleep 300' & sleep 1) & wait");
    awaitFile("inner");
    long until = System.nanoTime() + LONG.toNanos();
    while (process.exit().isEmpty() && System.nanoTime() < until) {
      assertThat(process.isAlive()).isTrue();
      Thread.sleep(20);
    }
    assertThat(process.isAlive()).as("what it started runs on").isTrue();
    process.end(LONG);
    assertGone("inner");
  }

  @Test
  void whateverItPrintsTheLastLinesAreKept() throws Exception {
    QueryProcess process =
        start(
            "i=0; while [ $i -lt 20000 ]; do echo line $i >&2; i=$((i+1)); done;"
                + " head -c 300000 /dev/zero | tr '\\0' x; echo; echo end");
    while (process.isAlive()) {
      Thread.sleep(5);
    }
    process.end(LONG);
    assertThat(process.lines()).hasSize(40).endsWith("end").contains("line 19999");
    assertThat(process.lines().get(38)).matches("x{2000}");
  }

  private QueryProcess start(String text) throws IOException {
    return QueryProcess.start(List.of(text), directory, Map.of("PLACE", "a b é"));
  }

  private void awaitFile(String name) throws InterruptedException, IOException {
    Path file = directory.resolve(name);
    long until = System.nanoTime() + LONG.toNanos();
    while (!Files.exists(file)) {
      assertThat(System.nanoTime()).isLessThan(until);
      Thread.sleep(5);
    }
  }

  private void assertGone(String name) throws Exception {
    long pid = Long.parseLong(Files.readString(directory.resolve(name)).strip());
    Path status = Path.of("/proc", Long.toString(pid), "stat");
    boolean isGone =
        ProcessHandle.of(pid).filter(ProcessHandle::isAlive).isEmpty()
            || Files.exists(status) && Files.readString(status).contains(") Z ");
    assertThat(isGone).as("process %d of %s has ended", pid, name).isTrue();
  }
}
