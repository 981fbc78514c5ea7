package org.streammigrator.migration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Store;

/**
 * The demo's plan, with a crash at every single call to storage: before it, after it, and with half
 * of the bytes written. A rerun must end in the same bytes as a run without a crash.
 */
@Execution(ExecutionMode.CONCURRENT)
class ApplyCrashTest {
  @TempDir private Path directory;

  private final Set<Map<String, String>> rerun = new HashSet<>();
  private Map<String, String> before;

  @BeforeEach
  void copyTheDemo() throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/demo"), directory);
    before = Trees.bytesAndTimes(directory);
  }

  /**
   * In two parts, which run side by side: a late crash takes longer to come to than an early one.
   */
  @ParameterizedTest
  @CsvSource({"0, 5", "5, 8"})
  void everyCrashPointEndsInTheSameBytes(int fromEighth, int toEighth) throws IOException {
    assertThat(apply(new LocalStore())).isZero();
    Map<String, String> reference = written();
    assertThat(reference.keySet())
        .anyMatch(path -> path.startsWith("checkpoints/orders_bronze_v2/offsets/"))
        .anyMatch(path -> path.startsWith("checkpoints/orders_5min_v2/state/"))
        .anyMatch(path -> path.startsWith("archive/"));
    removeWritten();

    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(apply(counting)).isZero();
    assertThat(written()).isEqualTo(reference);
    removeWritten();

    int first = counting.calls() * fromEighth / 8 + 1;
    int last = counting.calls() * toEighth / 8;
    int tried = 0;
    // A crash after a call is the crash before the next one, so that these are all there are.
    for (int call = first; call <= last; call++, tried++) {
      crashAndRerun(call, FaultStore.Fault.BEFORE, reference);
    }
    for (int write : counting.writes()) {
      if (write >= first && write <= last) {
        crashAndRerun(write, FaultStore.Fault.TORN, reference);
        tried++;
      }
    }
    assertThat(Trees.bytesAndTimes(directory)).isEqualTo(before);
    System.out.println(
        "crash points tried: "
            + tried
            + " (calls "
            + first
            + " to "
            + last
            + "), leaving "
            + rerun.size()
            + " different states, all of which end in the same bytes");
  }

  private void crashAndRerun(int call, FaultStore.Fault fault, Map<String, String> reference)
      throws IOException {
    FaultStore crashing = FaultStore.crashingAt(call, fault, new LocalStore());
    assertThat(apply(crashing)).as("%s call %s", fault, call).isNotZero();
    assertThat(crashing.crashed()).as("%s call %s crashes", fault, call).isTrue();
    assertThat(halfWritten()).as("%s call %s, under a final name", fault, call).isEmpty();
    // A rerun starts from what the crash left; from the same files it does the same.
    if (rerun.add(state())) {
      assertThat(apply(new LocalStore())).as("the rerun after %s call %s", fault, call).isZero();
      assertThat(Trees.bytesAndTimes(directory).keySet()).noneMatch(path -> path.contains("lock/"));
      assertThat(written()).as("the bytes after %s call %s", fault, call).isEqualTo(reference);
    }
    removeWritten();
  }

  private int apply(Store store) {
    PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), true, UTF_8);
    return Cli.run(
        List.of("apply", "plan.yaml"),
        nowhere,
        nowhere,
        CliContext.ofProcess()
            .withDirectory(directory)
            .withStore(store)
            .withClock(Clock.fixed(Instant.parse("2026-03-27T10:00:00Z"), ZoneOffset.UTC)));
  }

  /** A target that is there without being whole. */
  private List<String> halfWritten() throws IOException {
    List<String> half = new ArrayList<>();
    for (String name : List.of("orders_bronze_v2", "orders_5min_v2")) {
      Path target = directory.resolve("checkpoints").resolve(name);
      if (Files.exists(target) && !Files.exists(target.resolve("commits/6"))) {
        half.add(name);
      }
    }
    return half;
  }

  /** Everything that an apply wrote, but for the journal. */
  private Map<String, String> written() throws IOException {
    Map<String, String> now = state();
    before.forEach(
        (path, bytes) -> assertThat(now.remove(path)).as("%s is as it was", path).isEqualTo(bytes));
    now.keySet().removeIf(path -> path.startsWith("demo.journal"));
    return now;
  }

  /** All files; times only where they are part of the result. */
  private Map<String, String> state() throws IOException {
    Map<String, String> now = new TreeMap<>(Trees.bytesAndTimes(directory));
    // Claims are named at random; a rerun removes those of the dead.
    now.keySet().removeIf(path -> path.contains("lock/") && path.endsWith(".claim.json"));
    now.replaceAll(
        (path, bytes) ->
            path.startsWith("archive/")
                    || path.startsWith("demo.journal/")
                    || path.endsWith("manifest.json")
                ? Trees.withoutTime(bytes)
                : bytes);
    return now;
  }

  private void removeWritten() throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        String name = directory.relativize(path).toString();
        boolean old =
            before.containsKey(name)
                || before.keySet().stream().anyMatch(p -> p.startsWith(name + "/"));
        if (!old && !name.isEmpty()) {
          Files.deleteIfExists(path);
        }
      }
    }
  }
}
