package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;

/** The real process, killed: {@code -Dsoak=200} kills it so many times. */
@EnabledIfSystemProperty(named = "soak", matches = "[0-9]+")
class ApplySoakTest {
  @TempDir private Path directory;
  @TempDir private Path archive;

  private Map<String, String> before;
  private String classPath;

  @BeforeEach
  void copyTheDemo() throws Exception {
    Trees.copy(Path.of("../src-test-fixtures/demo"), directory);
    before = Trees.bytesAndTimes(directory);
    archiveClasses();
  }

  /** The program in a jar, and an archive of what it loads: a process takes half the time then. */
  private void archiveClasses() throws Exception {
    Path jar = archive.resolve("migrator.jar");
    String bin = Path.of(System.getProperty("java.home"), "bin").toString();
    String classes =
        Path.of(Cli.class.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    assertThat(
            new ProcessBuilder(bin + "/jar", "cf", jar.toString(), "-C", classes, ".")
                .start()
                .waitFor())
        .isZero();
    classPath =
        Stream.concat(
                Stream.of(jar.toString()),
                Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                    .filter(entry -> entry.endsWith(".jar")))
            .collect(Collectors.joining(File.pathSeparator));
    assertThat(end(start("-XX:ArchiveClassesAtExit=" + classes()))).isZero();
    remove();
  }

  @Test
  void killedAtAnyMomentItEndsInTheSameBytes() throws Exception {
    long workMs = workedMs();
    final Map<String, String> reference = written();
    remove();
    long seed = Long.getLong("faults.seed", System.nanoTime() % 1_000_000);
    System.out.println("soak: -Dfaults.seed=" + seed);
    Random random = new Random(seed);
    int kills = Integer.getInteger("soak");
    int killed = 0;
    int killedAgain = 0;
    int partWay = 0;
    int runs = 0;
    for (; killed < kills && runs < 5 * kills; runs++) {
      if (killedAtWork(random.nextLong(workMs))) {
        killed++;
        partWay += written().equals(reference) ? 0 : 1;
        // What takes up again is killed too, now and then.
        if (random.nextInt(3) == 0 && killedAtWork(random.nextLong(workMs))) {
          killed++;
          killedAgain++;
        }
      }
      // Machines are not always equally fast, and a process that has ended cannot be killed.
      workMs = Math.max(100, (workMs + workedMs()) / 2);
      assertThat(written().equals(reference)).as("the bytes after run %s", runs).isTrue();
      remove();
      if (runs % 20 == 19) {
        System.out.println("soak: " + (runs + 1) + " runs, " + killed + " kills so far");
      }
    }
    System.out.printf(
        "soak: %d runs, %d kills of an apply at work (%d left something part-way, %d hit a rerun);"
            + " every last rerun ended in the same bytes; the work takes %d ms%n",
        runs, killed, partWay, killedAgain, workMs);
    assertThat(killed).isGreaterThanOrEqualTo(kills);
  }

  /** Runs to the end, which must succeed: milliseconds from the journal's first entry. */
  private long workedMs() throws Exception {
    Process process = start();
    long began = atWork(process);
    assertThat(end(process)).isZero();
    return (System.nanoTime() - began) / 1_000_000;
  }

  /** Whether the process was still there so long after it began to work, and so was killed. */
  private boolean killedAtWork(long afterMs) throws Exception {
    Process process = start();
    atWork(process);
    if (process.waitFor(afterMs, TimeUnit.MILLISECONDS)) {
      return false;
    }
    process.destroyForcibly();
    return process.waitFor() == 128 + 9;
  }

  /** Waits until the process claims the lock of the journal: before that it only reads. */
  private long atWork(Process process) throws Exception {
    while (process.isAlive() && !claims(process)) {
      Thread.sleep(1);
    }
    return System.nanoTime();
  }

  private boolean claims(Process process) {
    String[] claims = directory.resolve("demo.journal/lock").toFile().list();
    return claims != null
        && Stream.of(claims).anyMatch(claim -> claim.contains("-" + process.pid() + "-"));
  }

  @Test
  void ofTwoAtOnceOneWorksAndTheOtherIsRefused() throws Exception {
    int refused = 0;
    for (int i = 0; i < 5; i++) {
      Process first = start();
      Process second = start();
      List<Integer> ends = Stream.of(end(first), end(second)).sorted().toList();
      assertThat(ends.get(0)).isIn(0, 3);
      assertThat(ends.get(1)).isIn(0, 3);
      refused += ends.get(1) == 3 ? 1 : 0;
      assertThat(end(start())).isZero();
      remove();
    }
    System.out.println("soak: 5 times two at once, " + refused + " times one was refused");
  }

  private Path classes() {
    return archive.resolve("classes.jsa");
  }

  private Process start() throws IOException {
    return start("-XX:SharedArchiveFile=" + classes());
  }

  private Process start(String option) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-Xlog:disable",
            option,
            "-cp",
            classPath,
            Cli.class.getName(),
            "apply",
            "plan.yaml")
        .directory(directory.toFile())
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }

  private static int end(Process process) throws InterruptedException {
    return process.waitFor();
  }

  /** Everything that an apply wrote but the journal; times only where they are a result. */
  private Map<String, String> written() throws IOException {
    Map<String, String> now = Trees.bytesAndTimes(directory);
    before.forEach((path, bytes) -> assertThat(bytes.equals(now.remove(path))).as(path).isTrue());
    now.keySet().removeIf(path -> path.startsWith("demo.journal/0"));
    now.replaceAll(
        (path, bytes) ->
            path.startsWith("archive/") || path.endsWith("manifest.json")
                ? Trees.withoutTime(bytes)
                : bytes);
    return now;
  }

  private void remove() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        String name = directory.relativize(path).toString();
        boolean old =
            name.isEmpty()
                || before.containsKey(name)
                || before.keySet().stream().anyMatch(p -> p.startsWith(name + "/"));
        if (!old) {
          Files.delete(path);
        }
      }
    }
  }
}
