package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.MemoryDisk;
import org.streammigrator.storage.MemoryObjectStore;

/**
 * Every plan that can be applied, and every fault at every store call of applying it, of rolling it
 * back, and of rolling a half-done apply back: what runs next ends in the same bytes, the old
 * checkpoint is as it was, and at no moment is half a checkpoint there that could be started from.
 *
 * <p>By default a few calls, chosen by the seed that is printed ({@code -Dfaults.seed} takes it
 * again), all of them with the Maven profile {@code faults}. The table is written to {@code
 * target/fault-matrix.txt}.
 */
@Execution(ExecutionMode.CONCURRENT)
class FaultMatrixTest {
  private static final boolean ALL = FaultSample.ALL;
  private static final int SAMPLE = ALL ? Integer.MAX_VALUE - 1 : 1;
  private static final int KINDS = 2;
  private static final long SEED = Long.getLong("faults.seed", System.nanoTime() % 1_000_000);
  private static final List<FaultLab.Row> ROWS = Collections.synchronizedList(new ArrayList<>());

  @TempDir private Path directory;

  static Stream<Arguments> trials() {
    String only = System.getProperty("faults.plan", "");
    return Scene.all().stream()
        .filter(scene -> scene.name().contains(only))
        .flatMap(
            scene ->
                Stream.of("disk", "object store")
                    .filter(kind -> kind.equals("disk") || !scene.localOnly())
                    .map(kind -> Arguments.of(scene, kind)));
  }

  @ParameterizedTest(name = "{0} on a {1}")
  @MethodSource("trials")
  void everyFaultEndsInTheSameBytes(Scene scene, String kind) throws IOException {
    boolean disk = kind.equals("disk");
    World world = World.of(disk ? new MemoryDisk() : new MemoryObjectStore());
    List<FaultKind> kinds =
        Stream.of(FaultKind.values())
            // On a disk no listing lags; in an object store no write is left in part.
            .filter(
                fault ->
                    disk
                        ? fault.where() != FaultKind.At.LISTINGS
                        : fault != FaultKind.TORN && fault != FaultKind.HALF)
            .toList();
    tryAll(scene.name() + ", " + kind, scene, world, kinds);
  }

  /** The same on a real file system, with a plan that uses most of it. */
  @Test
  void everyFaultOnTheLocalDiskEndsInTheSameBytes() throws IOException {
    tryAll(
        "demo, local disk",
        Scene.demo(),
        World.of(directory),
        List.of(FaultKind.CRASH, FaultKind.TORN, FaultKind.DUPLICATE, FaultKind.FULL));
  }

  private void tryAll(String name, Scene scene, World world, List<FaultKind> kinds)
      throws IOException {
    FaultLab lab = new FaultLab(name, new Trial(scene, world, directory), SAMPLE, SEED);
    List<FaultKind> some = new ArrayList<>(kinds);
    for (FaultLab.Course course : FaultLab.Course.values()) {
      if (!ALL) {
        Collections.shuffle(some, new Random(SEED + name.hashCode() + course.ordinal()));
      }
      ROWS.addAll(lab.run(course, ALL ? kinds : some.subList(0, KINDS)));
    }
  }

  @Test
  void everyPlanHasAScene() throws IOException {
    Set<String> plans = new TreeSet<>(Scene.NOT_APPLICABLE.keySet());
    Scene.all().forEach(scene -> plans.add(scene.name()));
    plans.remove("demo");
    try (Stream<Path> files = Files.list(Path.of("../plans"))) {
      assertThat(plans)
          .isEqualTo(
              files
                  .map(file -> file.getFileName().toString())
                  .filter(name -> name.endsWith(".yaml"))
                  .collect(Collectors.toSet()));
    }
  }

  @AfterAll
  static void report() throws IOException {
    List<String> lines = new ArrayList<>();
    lines.add(
        (ALL ? "every store call" : "a sample of the store calls") + ", -Dfaults.seed=" + SEED);
    lines.add(
        "%-32s %-20s %-22s %6s %7s %9s %7s  %s"
            .formatted(
                "plan", "command", "fault", "calls", "points", "happened", "states", "exit codes"));
    ROWS.stream()
        .sorted(
            java.util.Comparator.comparing(FaultLab.Row::trial)
                .thenComparing(FaultLab.Row::course)
                .thenComparing(FaultLab.Row::kind))
        .forEach(
            row ->
                lines.add(
                    "%-32s %-20s %-22s %6d %7d %9d %7d  %s"
                        .formatted(
                            row.trial(),
                            row.course(),
                            row.kind().label(),
                            row.calls(),
                            row.points(),
                            row.happened(),
                            row.states(),
                            row.exits())));
    String total =
        "%d points, %d different states; every rerun ended in the same bytes"
            .formatted(
                ROWS.stream().mapToInt(FaultLab.Row::points).sum(),
                ROWS.stream().mapToInt(FaultLab.Row::states).sum());
    lines.add(total);
    Scene.all().stream()
        .filter(Scene::localOnly)
        .forEach(
            scene ->
                lines.add(
                    scene.name()
                        + " was not tried on an object store: logs of file sinks that moved are"
                        + " written at local places only"));
    Scene.NOT_APPLICABLE.forEach(
        (plan, reason) -> lines.add(plan + " cannot be applied: " + reason));
    Files.createDirectories(Path.of("target"));
    Files.write(Path.of("target/fault-matrix.txt"), lines);
    System.out.println("fault matrix: " + lines.get(0) + ": " + total);
  }
}
