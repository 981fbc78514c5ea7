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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Store;

/**
 * Store calls that fail once, or that succeed without saying so, in a process that lives on: what
 * the run ends with may be an error, the next one ends in the same bytes. A sample of the calls
 * unless {@code -Dfaults=all}. Listings never lag here: the contract of {@link Store} says that
 * they do not.
 */
class ApplyFaultTest {
  private static final int SAMPLE = 12;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "strategy: relocate",
        "strategy: relocate\n    copy: all",
        "strategy: seed",
        "strategy: seed\n    identity: keep\n    sink: {delta: sink}\n    archive: {to: archive}"
      })
  void aCallThatFailsOnceChangesNothing(String settings) throws IOException {
    Trees.copy(Path.of("../src-test-fixtures/checkpoints/delta-version-boundary"), directory);
    Files.writeString(
        directory.resolve("plan.yaml"),
        "version: 1\nname: p\nstreams:\n  - name: s\n"
            + "    checkpoint: {from: checkpoint, to: new}\n    "
            + settings
            + "\n");
    final Map<String, String> before = Trees.bytesAndTimes(directory);
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(apply(counting)).isZero();
    final Map<String, String> reference = written();
    remove(before);

    List<Integer> calls = calls(counting.calls());
    int tried = 0;
    int stopped = 0;
    for (int call : calls) {
      for (FaultStore.Fault fault : FaultStore.Fault.values()) {
        boolean write = fault != FaultStore.Fault.TORN && fault != FaultStore.Fault.DUPLICATE;
        if (write || counting.writes().contains(call)) {
          stopped += apply(FaultStore.failingOnceAt(call, fault, new LocalStore())) == 0 ? 0 : 1;
          boolean half =
              Files.exists(directory.resolve("new"))
                  && !Files.exists(directory.resolve("new/commits/2"));
          assertThat(half).as("half a target after %s at %s", fault, call).isFalse();
          assertThat(apply(new LocalStore())).as("rerun after %s at %s", fault, call).isZero();
          assertThat(written().equals(reference)).as("bytes after %s at %s", fault, call).isTrue();
          remove(before);
          tried++;
        }
      }
    }
    System.out.println(
        "faults tried: "
            + tried
            + " at "
            + calls.size()
            + " of "
            + counting.calls()
            + " calls, of which "
            + stopped
            + " stopped the run; all end in the same bytes: "
            + settings.replaceAll("\\s+", " "));
  }

  private static List<Integer> calls(int count) {
    List<Integer> calls = new ArrayList<>(IntStream.rangeClosed(1, count).boxed().toList());
    if ("all".equals(System.getProperty("faults"))) {
      return calls;
    }
    Collections.shuffle(calls, new Random(4));
    return calls.subList(0, Math.min(SAMPLE, count));
  }

  /** Everything but the journal; times only where they are part of the result. */
  private Map<String, String> written() throws IOException {
    Map<String, String> now = Trees.bytesAndTimes(directory);
    now.keySet().removeIf(path -> path.startsWith("p.journal/0"));
    now.replaceAll(
        (path, bytes) ->
            path.startsWith("archive/") || path.endsWith("manifest.json")
                ? Trees.withoutTime(bytes)
                : bytes);
    return now;
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

  private void remove(Map<String, String> before) throws IOException {
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
    assertThat(Trees.bytesAndTimes(directory).equals(before)).as("what was there").isTrue();
  }
}
