package org.streammigrator.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.io.IOException;
import java.io.InputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.StoreTraits;

/**
 * Trees that no query writes: an inspection ends, in bounded time and memory, and says what is odd.
 */
class OddTreesTest {
  private static final Duration LONGEST = Duration.ofSeconds(60);

  @TempDir private Path root;

  @BeforeEach
  void makeCheckpoint() throws IOException {
    Files.createDirectories(root.resolve("offsets"));
    Files.createDirectories(root.resolve("commits"));
    Files.writeString(
        root.resolve("metadata"), "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
    plan("{\"t\":{\"0\":5}}");
    Files.writeString(root.resolve("commits/0"), "v1\n{}");
  }

  private void plan(String lines) throws IOException {
    Files.writeString(
        root.resolve("offsets/0"),
        "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":0,\"conf\":{}}\n" + lines);
  }

  private Inspection inspect() {
    return assertTimeoutPreemptively(
        LONGEST,
        () ->
            Inspector.inspect(
                new CheckpointReader(new LocalStore()).read(Location.of(root)), Map.of()));
  }

  private static void fifo(Path path) throws IOException {
    try {
      assumeThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
    } catch (InterruptedException interrupted) {
      throw new IOException(interrupted);
    }
  }

  /** Opening a pipe that nobody writes to would wait for ever. */
  @Test
  void pipesAndSocketsAreNeverOpened() throws IOException {
    Files.createDirectories(root.resolve("state/0/0/_metadata"));
    Files.createDirectories(root.resolve("sources/0"));
    Files.delete(root.resolve("metadata"));
    for (String path :
        List.of("metadata", "offsets/1", "commits/1", "state/0/0/1.delta", "sources/0/0")) {
      fifo(root.resolve(path));
    }
    fifo(root.resolve("state/0/0/_metadata/schema"));
    fifo(root.resolve("offsets/.0.crc"));
    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(root.resolve("s")));
      Inspection inspection = inspect();
      assertThat(inspection.restartable()).isFalse();
      assertThat(inspection.batches().lastPlanned()).isZero();
      assertThat(inspection.findings())
          .filteredOn(finding -> finding.code() == FindingCode.UNREADABLE)
          .extracting(finding -> finding.subject())
          .contains("metadata", "s", "offsets/1");
    }
  }

  @Test
  void linksInCirclesEnd() throws IOException {
    Path state = Files.createDirectories(root.resolve("state/0/0"));
    Files.createSymbolicLink(state.resolve("up"), root);
    Files.createSymbolicLink(state.resolve("self"), state.resolve("self"));
    Files.createSymbolicLink(state.resolve("here"), state);
    Files.createSymbolicLink(root.resolve("offsets/9"), root.resolve("gone"));
    Inspection inspection = inspect();
    assertThat(inspection.files().count()).isEqualTo(3);
    assertThat(inspection.batches().lastPlanned()).isZero();
  }

  @Test
  void deepDirectoriesAndOddNames() throws IOException {
    Path deep = root;
    for (int i = 0; i < 300; i++) {
      deep = deep.resolve("d" + i % 10);
    }
    Files.createDirectories(deep);
    Files.writeString(deep.resolve("x"), "x");
    for (String name : List.of("a\nb", "ü😀", "\t", "a\\b", "%41", "-", "0 ")) {
      Files.writeString(root.resolve(name), "");
      Files.writeString(root.resolve("offsets").resolve(name), "");
    }
    Inspection inspection = inspect();
    assertThat(inspection.files().count()).isEqualTo(3 + 1 + 14);
    assertThat(inspection.batches().lastPlanned()).isZero();
    assertThat(inspection.restartable()).isTrue();
  }

  @Test
  void aThousandSources() throws IOException {
    plan("{\"t\":{\"0\":9007199254740993}}\n".repeat(1000));
    Inspection inspection = inspect();
    assertThat(inspection.sources()).hasSize(1000);
    assertThat(inspection.sources().get(999).committed().toString()).contains("9007199254740993");
  }

  @Test
  void aLineOfManyMegabytes() throws IOException {
    int length = FaultSample.ALL ? 10_000_000 : 500_000;
    StringBuilder line = new StringBuilder("{\"t\":{\"0\":1");
    for (int partition = 1; line.length() < length; partition++) {
      line.append(",\"").append(partition).append("\":9007199254740993");
    }
    plan(line.append("}}").toString());
    assertThat(inspect().sources().get(0).committed().toString()).contains("9007199254740993");
  }

  @Test
  void aLogFileBeyondAnySize() throws IOException {
    try (var file =
        Files.newByteChannel(
            root.resolve("offsets/1"),
            java.nio.file.StandardOpenOption.CREATE_NEW,
            java.nio.file.StandardOpenOption.WRITE)) {
      file.position(1L << 40).write(java.nio.ByteBuffer.wrap(new byte[] {1}));
    } catch (IOException noSparseFiles) {
      assumeThat(noSparseFiles).isNull();
    }
    Inspection inspection = inspect();
    assertThat(inspection.restartable()).isFalse();
    assertThat(inspection.findings()).anyMatch(f -> f.subject().equals("offsets/1"));
  }

  /**
   * Entries of a log directory that are made while they are asked for, so that the memory measured
   * is the inspection's own.
   */
  private record Names(Location place, int count) implements Store {
    @Override
    public StoreTraits traits(Location location) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<StoreEntry> walk(Location directory) {
      return new AbstractList<>() {
        @Override
        public StoreEntry get(int index) {
          // Sorted as texts: all numbers have the same length.
          return index == 0
              ? new StoreEntry(place.child("offsets"), StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH)
              : new StoreEntry(
                  place.child("offsets/" + (100_000_000 + index)),
                  StoreEntry.Kind.FILE,
                  100,
                  Instant.EPOCH);
        }

        @Override
        public int size() {
          return count + 1;
        }
      };
    }

    @Override
    public InputStream open(Location file) throws IOException {
      throw new java.nio.file.NoSuchFileException(file.toString());
    }

    @Override
    public List<StoreEntry> list(Location directory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<StoreEntry> stat(Location location) {
      return Optional.empty();
    }

    @Override
    public Receipt write(Location file, Content content, Optional<Instant> modified) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void createDirectory(Location directory) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void publish(Location staged, Location target) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void delete(Location location) {
      throw new UnsupportedOperationException();
    }
  }

  /** {@code -Dmigrator.entries=10000000} gives what the page about formats says of ten millions. */
  @Test
  void aLogOfVeryManyEntries() {
    int count = Integer.getInteger("migrator.entries", 100_000);
    Location place = Location.of(root);
    Inspection inspection =
        assertTimeoutPreemptively(
            LONGEST.multipliedBy(10),
            () ->
                Inspector.inspect(
                    new CheckpointReader(new Names(place, count)).read(place), Map.of()));
    assertThat(inspection.batches().lastPlanned()).isEqualTo(100_000_000L + count);
    assertThat(inspection.files().count()).isEqualTo(count);
    assertThat(inspection.restartable()).isFalse();
    assertThat(inspection.findings()).hasSizeLessThan(20);
  }
}
