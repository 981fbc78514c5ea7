package org.streammigrator.jobs.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskStart;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.CopySource;
import org.streammigrator.copy.TreeCopy;
import org.streammigrator.copy.Verification;
import org.streammigrator.job.CopyResult;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobProcess;
import org.streammigrator.job.LocalLauncher;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.jobs.MemoryDirectory;
import org.streammigrator.jobs.demo.DemoScene;
import org.streammigrator.jobs.session.LocalSpark;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

@Tag("spark")
class CopyJobTest {
  private static final int FILES = 3_000;

  @TempDir(factory = MemoryDirectory.class)
  Path directory;

  private SparkSession spark;
  private final List<SparkListener> listeners = new ArrayList<>();

  @BeforeEach
  void open() {
    spark = LocalSpark.open("tests", DemoScene.SESSION);
  }

  @AfterEach
  void listenNoMore() {
    listeners.forEach(spark.sparkContext()::removeSparkListener);
  }

  @Test
  void killedTasksAreRepeated() throws IOException {
    Path from = checkpoint(FILES);
    AtomicInteger killed = new AtomicInteger();
    listen(
        new SparkListener() {
          @Override
          public void onTaskStart(SparkListenerTaskStart start) {
            if (start.taskInfo().attemptNumber() == 0
                && spark
                    .sparkContext()
                    .killTaskAttempt(start.taskInfo().taskId(), false, "a test kills it")) {
              killed.incrementAndGet();
            }
          }
        });
    CopyResult result = copy(spec(from));
    assertThat(result.status()).as(result.message()).isEqualTo("done");
    assertThat(killed.get()).isPositive();
    assertCopied(from, result);
  }

  @Test
  void severalAttemptsAtOnceDoNotHarm() throws Exception {
    Path from = checkpoint(300);
    Path place = Files.createDirectory(directory.resolve("place"));
    List<CopySource> sources = new ArrayList<>();
    for (var entry : new LocalStore().walk(location(from))) {
      if (entry.isFile()) {
        sources.add(
            new PartSource(entry.location().relativeTo(location(from)), entry, () -> false));
      }
    }
    List<Thread> attempts = new ArrayList<>();
    Set<String> failures = ConcurrentHashMap.newKeySet();
    for (int i = 0; i < 4; i++) {
      Location attempt = location(directory.resolve("attempts/" + i));
      Thread thread =
          new Thread(
              () -> {
                try {
                  new TreeCopy(
                          new AttemptStore(new LocalStore(), attempt),
                          location(place),
                          CopyOptions.DEFAULT.withThreads(2))
                      .copyProven(sources, Map.of());
                } catch (IOException | RuntimeException failure) {
                  failures.add(failure.toString());
                }
              });
      thread.start();
      attempts.add(thread);
    }
    for (Thread attempt : attempts) {
      attempt.join();
    }
    assertThat(failures).isEmpty();
    assertThat(tree(place)).isEqualTo(tree(from));
    assertThat(tree(directory.resolve("attempts"))).isEmpty();
  }

  @Test
  @EnabledIfSystemProperty(
      named = "soak",
      matches = "[0-9]+",
      disabledReason = "starts JVMs to kill them; run by -Psoak")
  void jobThatIsKilledGoesOn() throws Exception {
    Path from = checkpoint(20_000);
    SparkJvm jvm =
        new SparkJvm(
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    Path spec = Files.writeString(directory.resolve("spec.json"), JobJson.write(spec(from)));
    Process process =
        new ProcessBuilder(
                jvm.command(
                    directory.resolve("java.args"),
                    "org.streammigrator.jobs.JobMain",
                    List.of(spec.toString())))
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("killed.log").toFile())
            .start();
    Path staging = directory.resolve(".to.migrator-staging");
    while (process.isAlive() && !(Files.exists(staging) && inodes(staging).size() >= 500)) {
      TimeUnit.MILLISECONDS.sleep(5);
    }
    process.destroyForcibly().waitFor();
    Map<String, Object> before = inodes(staging);
    assertThat(before).as("killed in the middle").hasSizeBetween(1, 20_000);
    assertThat(directory.resolve("to")).doesNotExist();

    JobProcess.Ended ended =
        new JobProcess(new LocalLauncher(jvm, RunnerSpec.of(RunnerSpec.LOCAL)), directory)
            .run(takingOver(from), line -> true);
    assertThat(ended.exit()).as(ended.toString()).isZero();
    CopyResult result =
        JobJson.readResult(ended.result().orElseThrow(), CopySpec.JOB, CopyResult.class);
    assertCopied(from, result);
    Map<String, Object> after = inodes(directory.resolve("to"));
    assertThat(before).allSatisfy((path, inode) -> assertThat(after).containsEntry(path, inode));

    CopyResult again = copy(spec(from));
    assertThat(again.status()).isEqualTo("unchanged");
    assertThat(again.tasks()).isZero();
    assertThat(again.fingerprint()).isEqualTo(result.fingerprint());
  }

  @Test
  void sourceThatChangesIsRefused() throws IOException {
    Path from = checkpoint(FILES);
    CopyResult result =
        copy(spec(from), new Once(() -> Files.writeString(from.resolve("commits/77"), "v1\n{}")));
    assertThat(result.status()).isEqualTo("refused");
    assertThat(result.findings())
        .anyMatch(finding -> finding.path("code").asText().equals("OLD_CHECKPOINT_GROWS"));
    assertThat(directory.resolve("to")).doesNotExist();
  }

  @Test
  void sourceThatShrinksIsNoticedByTheTaskThatReadsIt() throws IOException {
    Path from = checkpoint(FILES);
    // Of the last part, which is not begun when the first one is done.
    Path last = from.resolve("old/9/999");
    CopyResult result = copy(spec(from), new Once(() -> Files.writeString(last, "x")));
    assertThat(result.status()).as(result.message()).isEqualTo("refused");
    assertThat(result.findings()).hasSize(1);
    assertThat(result.findings().get(0).path("message").asText())
        .contains("the file for old/9/999 changed its size from")
        .containsOnlyOnce("Stop the query");
    assertThat(directory.resolve("to")).doesNotExist();
  }

  /** Does something when the first part of a copy is done. */
  private static final class Once implements CopyProgress {
    private final Action action;
    private boolean acted;

    private interface Action {
      void run() throws IOException;
    }

    private Once(Action action) {
      this.action = action;
    }

    @Override
    public synchronized void done(long files) {
      if (!acted) {
        acted = true;
        try {
          action.run();
        } catch (IOException failure) {
          throw new UncheckedIOException(failure);
        }
      }
    }
  }

  @Test
  void otherFilesAtTheTargetAreNotTouched() throws IOException {
    Path from = checkpoint(10);
    Path other = Files.createDirectory(directory.resolve("to")).resolve("other");
    Files.writeString(other, "mine");
    CopyResult result = copy(spec(from));
    assertThat(result.status()).isEqualTo("refused");
    assertThat(result.findings())
        .anyMatch(finding -> finding.path("code").asText().equals("TARGET_NOT_EMPTY"));
    assertThat(tree(directory.resolve("to"))).hasSize(1);
  }

  @Test
  void dryRunWritesNothing() throws IOException {
    Path from = checkpoint(FILES);
    Map<String, String> before = tree(directory);
    CopyResult result =
        copy(
            new CopySpec(
                from.toString(),
                directory.resolve("to").toString(),
                "all",
                null,
                null,
                null,
                null,
                null,
                true,
                null,
                null,
                null,
                null));
    assertThat(result.status()).as(result.message()).isEqualTo("dry-run");
    assertThat(result.files()).isEqualTo(tree(from).size());
    assertThat(tree(directory)).isEqualTo(before);
  }

  @Test
  void specThatMakesNoPlanIsRefused() {
    CopySpec same = CopySpec.of(directory.toString(), directory + "/");
    assertThatThrownBy(() -> copy(same))
        .isInstanceOf(InvalidJobSpecException.class)
        .hasMessageContaining("SAME_LOCATION");
  }

  private CopyResult copy(CopySpec spec) throws IOException {
    return copy(spec, CopyProgress.NONE);
  }

  private CopyResult copy(CopySpec spec, CopyProgress progress) throws IOException {
    return CopyJob.run(spark, spec, directory, Clock.systemUTC(), progress);
  }

  private CopySpec spec(Path from) {
    return new CopySpec(
        from.toString(),
        directory.resolve("to").toString(),
        "all",
        null,
        null,
        null,
        null,
        "checksum",
        null,
        null,
        null,
        null,
        null);
  }

  private CopySpec takingOver(Path from) {
    return new CopySpec(
        from.toString(),
        directory.resolve("to").toString(),
        "all",
        null,
        null,
        null,
        null,
        "checksum",
        null,
        null,
        true,
        null,
        null);
  }

  private void assertCopied(Path from, CopyResult result) throws IOException {
    Path to = directory.resolve("to");
    assertThat(tree(to)).isEqualTo(tree(from)).hasSize(result.files().intValue());
    Verification verification = Copies.verify(new LocalStore(), location(to));
    assertThat(verification.damage()).isEmpty();
    assertThat(verification.files()).isEqualTo(result.files());
    assertThat(directory.resolve(".to.migrator-attempts")).doesNotExist();
    assertThat(directory.resolve(".to.migrator-progress")).doesNotExist();
  }

  private void listen(SparkListener listener) {
    listeners.add(listener);
    spark.sparkContext().addSparkListener(listener);
  }

  /** A real checkpoint with state, and many small files that nobody needs. */
  private Path checkpoint(int files) throws IOException {
    Path real = Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint");
    Path from = directory.resolve("from");
    try (Stream<Path> paths = Files.walk(real)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        Path copy = from.resolve(real.relativize(path).toString());
        Files.createDirectories(copy.getParent());
        Files.copy(path, copy);
      }
    }
    for (int i = 0; i < files; i++) {
      Files.createDirectories(file(from, i).getParent());
      Files.writeString(file(from, i), "file " + i + "\n".repeat(i % 50));
    }
    return from;
  }

  private static Path file(Path from, int number) {
    return from.resolve("old/" + number / 100 + "/" + number);
  }

  private static Location location(Path path) {
    return Location.parse(path.toString(), Path.of("/"));
  }

  private static Map<String, Object> inodes(Path root) throws IOException {
    Map<String, Object> inodes = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        inodes.put(root.relativize(file).toString(), Files.getAttribute(file, "unix:ino"));
      }
    }
    return inodes;
  }

  /** Every file with its time and its bytes. */
  private static Map<String, String> tree(Path root) throws IOException {
    Map<String, String> tree = new TreeMap<>();
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        tree.put(
            root.relativize(file).toString(),
            Files.getLastModifiedTime(file)
                + " "
                + Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return tree;
  }
}
