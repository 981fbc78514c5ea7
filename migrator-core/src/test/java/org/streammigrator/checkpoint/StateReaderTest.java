package org.streammigrator.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/** One damaged byte in any state file that a restart loads is found by reading them all. */
class StateReaderTest {
  private static final Path FIXTURES = Path.of("../src-test-fixtures/checkpoints");

  private final LocalStore store = new LocalStore();

  @TempDir private Path root;

  private Path copy(String fixture) throws IOException {
    Path from = FIXTURES.resolve(fixture).resolve("checkpoint");
    Path to = root.resolve(fixture);
    try (Stream<Path> walk = Files.walk(from)) {
      for (Path path : walk.toList()) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target);
        }
      }
    }
    return to;
  }

  private Checkpoint read(Path checkpoint) throws IOException {
    return new CheckpointReader(store).read(Location.of(checkpoint));
  }

  private Inspection deep(Path checkpoint) throws IOException {
    Checkpoint read = read(checkpoint);
    return Inspector.inspect(read, Map.of(), List.of(), new StateReader(store).read(read));
  }

  private static Path hidden(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".crc");
  }

  private static List<String> needed(Checkpoint checkpoint) {
    return checkpoint.stateVersions().get(checkpoint.requiredStateVersion()).files().stream()
        .map(CheckpointFile::path)
        .toList();
  }

  private static byte[] flip(byte[] bytes, int at) {
    byte[] bad = bytes.clone();
    bad[at] ^= 0x10;
    return bad;
  }

  /**
   * What Spark 4.2 wrote is sound; and without any checksum beside it, damage shows all the same.
   */
  @ParameterizedTest
  @ValueSource(strings = {"window-hdfs", "window-rocksdb", "window-rocksdb-changelog"})
  void aDamagedByteIsFound(String fixture) throws IOException {
    Path checkpoint = copy(fixture);
    assertThat(deep(checkpoint).state().get(0).deep().damaged()).isEmpty();
    List<String> needed = needed(read(checkpoint));
    assertThat(needed).isNotEmpty();
    for (String path : needed) {
      Path file = checkpoint.resolve(path);
      Files.deleteIfExists(hidden(file));
      byte[] sound = Files.readAllBytes(file);
      // An SST is only looked at where it ends; a zip's first bytes are the name of its first
      // entry.
      int at =
          path.endsWith(".sst")
              ? sound.length - 4
              : path.endsWith(".zip") ? 200 : Math.min(22, sound.length - 1);
      Files.write(file, flip(sound, at));
      Inspection inspection = deep(checkpoint);
      assertThat(inspection.state().get(0).deep().damaged())
          .as(path)
          .extracting(Inspection.Damaged::path)
          .contains(path);
      assertThat(inspection.findings())
          .anyMatch(finding -> finding.code().name().equals("STATE_FILE_CORRUPT"));
      assertThat(inspection.restartableBy().get("4.1")).as(path).isFalse();
      Files.write(file, sound);
    }
    assertThat(deep(checkpoint).restartable()).isTrue();
  }

  /** A plain inspection reads no state bytes: it need not notice, and says nothing wrong. */
  @Test
  void aPlainInspectionDoesNotLook() throws IOException {
    Path checkpoint = copy("window-hdfs");
    for (String path : needed(read(checkpoint))) {
      Files.write(checkpoint.resolve(path), flip(Files.readAllBytes(checkpoint.resolve(path)), 22));
    }
    Inspection plain = Inspector.inspect(read(checkpoint), Map.of());
    assertThat(plain.restartable()).isTrue();
    assertThat(plain.state().get(0).deep()).isNull();
    assertThat(deep(checkpoint).restartable()).isFalse();
  }

  /** Hadoop's hidden checksums cover every byte, also those that no format looks at. */
  @Test
  void hiddenChecksumsCoverSsts() throws IOException {
    Path checkpoint = copy("window-rocksdb");
    for (String path : needed(read(checkpoint))) {
      Path file = checkpoint.resolve(path);
      assertThat(hidden(file)).exists();
      byte[] sound = Files.readAllBytes(file);
      if (path.endsWith(".sst")) {
        Files.write(file, flip(sound, 0));
        assertThat(deep(checkpoint).restartable()).as(path).isFalse();
        Files.write(file, sound);
      }
    }
  }

  /**
   * Spark reads deltas without comparing the hidden checksum: it starts, and we say what it reads.
   */
  @Test
  void alteredDeltaIsAnErrorThatStopsNothing() throws IOException {
    Path checkpoint = copy("window-hdfs");
    String path =
        needed(read(checkpoint)).stream().filter(p -> p.endsWith(".delta")).findFirst().get();
    Files.write(checkpoint.resolve(path), StateFiles.puts());
    Inspection inspection = deep(checkpoint);
    assertThat(inspection.restartable()).isTrue();
    assertThat(inspection.findings())
        .anyMatch(
            finding ->
                finding.code().name().equals("STATE_FILE_CORRUPT")
                    && finding.message().contains(path)
                    && finding.message().contains(".crc"));
  }

  private static byte[] sparkCrc(byte[] content, int off) {
    CRC32C crc = new CRC32C();
    crc.update(content);
    return ("{\"algorithm\":\"CRC32C\",\"value\":"
            + ((int) crc.getValue() + off)
            + ",\"mainFileSize\":"
            + content.length
            + ",\"timestampMs\":1,\"creator\":{}}")
        .getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void sparksOwnChecksumsAreCompared() throws IOException {
    Path checkpoint = copy("window-rocksdb-changelog");
    for (String path : needed(read(checkpoint))) {
      if (!path.endsWith(".sst")) {
        Path file = checkpoint.resolve(path);
        Files.write(Path.of(file + ".crc"), sparkCrc(Files.readAllBytes(file), 0));
      }
    }
    assertThat(deep(checkpoint).restartable()).isTrue();
    String path = needed(read(checkpoint)).get(0);
    Path file = checkpoint.resolve(path);
    Files.write(Path.of(file + ".crc"), sparkCrc(Files.readAllBytes(file), 1));
    assertThat(deep(checkpoint).state().get(0).deep().damaged())
        .extracting(Inspection.Damaged::path)
        .containsExactly(path);
  }

  /** A chain of damaged snapshots: each is found by reading what the one before led to. */
  @Test
  void followsWhatIsPassedOver() throws IOException {
    Path checkpoint = root.resolve("chain");
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    Files.createDirectories(checkpoint.resolve("state/0/0"));
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
    for (int batch = 7; batch <= 8; batch++) {
      Files.writeString(
          checkpoint.resolve("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":0,\"conf\":{"
              + "\"spark.sql.shuffle.partitions\":\"1\"}}\n{\"t\":{\"0\":1}}");
      Files.writeString(checkpoint.resolve("commits/" + batch), "v1\n{}");
    }
    for (int version = 1; version <= 9; version++) {
      Files.write(
          checkpoint.resolve("state/0/0/" + version + ".delta"), StateFiles.puts("k" + version));
    }
    for (int version : new int[] {4, 6, 8}) {
      Files.write(checkpoint.resolve("state/0/0/" + version + ".snapshot"), new byte[] {1});
    }
    Inspection.State state = deep(checkpoint).state().get(0);
    assertThat(state.loadable()).isTrue();
    assertThat(state.deep().damaged()).hasSize(3);
    assertThat(state.deep().keys()).isEqualTo(9);
    assertThat(deep(checkpoint).restartableBy())
        .isEqualTo(Map.of("3.5", false, "4.0", false, "4.1", false, "4.2", true));
  }

  /** Random bytes, cuts and flipped bits in every kind of state file: nothing throws or hangs. */
  @Test
  void nothingThrows() throws IOException {
    long seed = Long.getLong("migrator.seed", System.nanoTime());
    Random random = new Random(seed);
    for (String fixture : List.of("window-hdfs", "window-rocksdb", "window-rocksdb-changelog")) {
      Path checkpoint = copy(fixture);
      List<Path> files;
      try (Stream<Path> walk = Files.walk(checkpoint.resolve("state"))) {
        files = walk.filter(Files::isRegularFile).sorted().collect(Collectors.toList());
      }
      for (int round = 0; round < 60; round++) {
        Path file = files.get(random.nextInt(files.size()));
        byte[] sound = Files.readAllBytes(file);
        byte[] bad =
            switch (random.nextInt(3)) {
              case 0 -> Arrays.copyOf(sound, random.nextInt(sound.length + 1));
              case 1 -> sound.length == 0 ? sound : flip(sound, random.nextInt(sound.length));
              default -> {
                byte[] noise = new byte[random.nextInt(3000)];
                random.nextBytes(noise);
                yield noise;
              }
            };
        Files.write(file, bad);
        assertThat(deep(checkpoint)).as(file + ", seed " + seed).isNotNull();
        Files.write(file, sound);
      }
    }
  }
}
