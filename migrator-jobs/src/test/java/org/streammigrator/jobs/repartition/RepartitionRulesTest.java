package org.streammigrator.jobs.repartition;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.commons.io.FileUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** Checkpoints that real queries wrote, also with something missing. */
class RepartitionRulesTest {
  private static final Path CHECKPOINTS = Path.of("../src-test-fixtures/checkpoints");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "window-rocksdb, 3, 4.2.0, ",
    "window-rocksdb-changelog, 1, 4.10.1, ",
    "window-rocksdb, 3, 5.0.0-SNAPSHOT, ",
    "window-rocksdb, 3, 4.1.9, NOT_AVAILABLE",
    "window-rocksdb, 3, 3.5.6, NOT_AVAILABLE",
    "window-rocksdb, 2, 4.2.0, JOB_SPEC_INVALID",
    "window-hdfs, 3, 4.2.0, NOT_AVAILABLE",
    "rate, 3, 4.2.0, NOT_AVAILABLE",
  })
  void whatCannotBeRepartitionedIsRefused(
      String checkpoint, int partitions, String spark, FindingCode code) throws IOException {
    assertThat(check(CHECKPOINTS.resolve(checkpoint).resolve("checkpoint"), partitions, spark))
        .isEqualTo(code == null ? List.of() : List.of(code));
  }

  @ParameterizedTest
  @CsvSource({
    "commits/14, PENDING_BATCH",
    "commits, PENDING_BATCH",
    "state/0/_metadata, NOT_AVAILABLE",
    "state/0/0, STATE_PARTITION_MISMATCH",
    "state, NOT_AVAILABLE",
  })
  void whatIsMissingForbidsIt(String missing, FindingCode code) throws IOException {
    Path copy = copy();
    FileUtils.forceDelete(copy.resolve(missing).toFile());
    assertThat(check(copy, 3, "4.2.0")).containsExactly(code);
  }

  @Test
  void stateInOnePartitionStaysThere() throws IOException {
    Path copy = copy();
    FileUtils.forceDelete(copy.resolve("state/0/1").toFile());
    FileUtils.forceDelete(copy.resolve("state/0/0/_metadata").toFile());
    assertThat(check(copy, 3, "4.2.0")).containsExactly(FindingCode.NOT_AVAILABLE);
  }

  @Test
  void numberThatIsNotPinnedIsNotGuessed() throws IOException {
    Path copy = copy();
    Path plan = copy.resolve("offsets/14");
    Files.writeString(
        plan, Files.readString(plan).replace("spark.sql.shuffle.partitions", "spark.sql.none"));
    assertThat(check(copy, 3, "4.2.0")).containsExactly(FindingCode.STATE_PARTITION_MISMATCH);
  }

  private Path copy() throws IOException {
    Path copy = directory.resolve("copy");
    FileUtils.copyDirectory(
        CHECKPOINTS.resolve("window-rocksdb/checkpoint").toFile(), copy.toFile());
    return copy;
  }

  private static List<FindingCode> check(Path checkpoint, int partitions, String spark)
      throws IOException {
    return RepartitionRules.check(
            new CheckpointReader(new LocalStore())
                .read(Location.parse(checkpoint.toString(), Path.of("").toAbsolutePath())),
            partitions,
            spark)
        .stream()
        .map(Finding::code)
        .toList();
  }
}
