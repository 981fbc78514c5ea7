package org.streammigrator.jobs.relocation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A stateful query that cannot start for a file that only harms, and does after a repair. */
@Tag("spark")
class RepairedRestartTest extends RelocatedQueries {

  @Test
  void anEmptyPlanAndABackupAreLeftOut() throws Exception {
    Path input = directory.resolve("in");
    Path old = directory.resolve("old");
    Path sink = directory.resolve("sink");
    writeRows(input, 0, 5);
    run(distinct(input), "delta", old, sink, Map.of());
    long newest = newest(old.resolve("offsets"));
    Files.createFile(old.resolve("offsets/" + (newest + 1)));
    Files.copy(old.resolve("commits/" + newest), old.resolve("commits/000000099"));

    writeRows(input, 5, 8);
    Path plainCopy = directory.resolve("copy");
    copyAll(old, plainCopy);
    assertThatThrownBy(() -> run(distinct(input), "delta", plainCopy, sink, Map.of()))
        .as("as it is");

    Path moved = apply(old, sink);
    assertThat(newest(moved.resolve("offsets"))).isEqualTo(newest);
    assertThat(moved.resolve("commits/000000099")).doesNotExist();
    run(distinct(input), "delta", moved, sink, Map.of());
    assertThat(ids(spark.read().format("delta").load(sink.toString()))).isEqualTo(upTo(16));
    migrator("prove");
  }

  private Path apply(Path old, Path sink) throws Exception {
    return apply(
        """
        strategy: relocate
        repair: true
        checkpoint: {from: "%s", to: "%s"}
        sink: {delta: "%s"}
        """
            .formatted(old, directory.resolve("new"), sink));
  }

  private static Dataset<Row> distinct(Path input) {
    return json(input).dropDuplicates("id");
  }

  private static long newest(Path log) throws Exception {
    try (Stream<Path> files = Files.list(log)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]{1,8}"))
          .mapToLong(Long::parseLong)
          .max()
          .orElseThrow();
    }
  }
}
