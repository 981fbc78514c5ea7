package org.streammigrator.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;

class CrashTest {
  @TempDir private Path directory;
  private final Store disk = new LocalStore();
  private Path checkpoint;

  @BeforeEach
  void begin() throws IOException {
    checkpoint = directory.resolve("chk");
    Nasty.file(checkpoint, "metadata", "{}", "2024-05-06T07:08:09.123456789Z");
    Nasty.file(checkpoint, "offsets/0", "v1", "2024-05-06T07:08:09.123456789Z");
    Nasty.file(checkpoint, "offsets/.0.crc", "", "2024-05-06T07:08:09.123456789Z");
    Files.createDirectory(checkpoint.resolve("commits"));
  }

  private ArchiveResult archive(Store store, Path to) throws IOException {
    return Archives.archive(
        store, Location.of(checkpoint), Location.of(to), CheckpointSummary.unknown());
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER", "TORN"})
  void archiveEndsInTheSameBytes(FaultStore.Fault fault) throws IOException {
    Map<String, Nasty.Entry> before = Nasty.entries(checkpoint);
    FaultStore counting = FaultStore.counting(disk);
    ArchiveResult whole = archive(counting, directory.resolve("whole"));
    assertThat(counting.calls()).isGreaterThan(8);
    for (int call = 1; call <= counting.calls(); call++) {
      Path to = directory.resolve("at" + call);
      FaultStore crashing = FaultStore.crashingAt(call, fault, disk);
      assertThatExceptionOfType(FaultStore.Crash.class).isThrownBy(() -> archive(crashing, to));
      assertThat(crashing.crashed()).isTrue();
      Path archive = to.resolve(whole.archive().name());
      if (Files.exists(archive)) {
        assertThat(archive).hasSameBinaryContentAs(whole.archive().localPath());
      }
      ArchiveResult again = archive(disk, to);
      assertThat(again.sha256()).isEqualTo(whole.sha256());
      assertThat(Nasty.entries(to)).containsOnlyKeys("", archive.getFileName().toString());
      assertThat(Nasty.entries(checkpoint)).isEqualTo(before);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"BEFORE", "AFTER", "TORN"})
  void restoreEndsInTheSameBytes(FaultStore.Fault fault) throws IOException {
    Map<String, Nasty.Entry> before = Nasty.entries(checkpoint);
    Location archive = archive(disk, directory.resolve("archives")).archive();
    FaultStore counting = FaultStore.counting(disk);
    Archives.restore(counting, archive, Location.of(directory.resolve("whole/target")));
    for (int call = 1; call <= counting.calls(); call++) {
      Path place = directory.resolve("at" + call);
      Path target = place.resolve("target");
      FaultStore crashing = FaultStore.crashingAt(call, fault, disk);
      assertThatExceptionOfType(FaultStore.Crash.class)
          .isThrownBy(() -> Archives.restore(crashing, archive, Location.of(target)));
      if (Files.exists(target)) {
        assertThat(Nasty.entries(target)).isEqualTo(before);
        assertThatExceptionOfType(FileAlreadyExistsException.class)
            .isThrownBy(() -> Archives.restore(disk, archive, Location.of(target)));
      } else {
        Archives.restore(disk, archive, Location.of(target));
      }
      assertThat(Nasty.entries(target)).isEqualTo(before);
      assertThat(Copies.verify(disk, Location.of(target)).damage()).isEmpty();
      try (var names = Files.list(place)) {
        assertThat(names.map(path -> path.getFileName().toString()))
            .containsExactlyInAnyOrder("target", ".target.migrator-manifest.json");
      }
    }
  }

  /** A write of which the store lost the answer, so that it says that the file exists. */
  @Test
  void aRetriedWriteIsComparedAndKept() throws IOException {
    Map<String, Nasty.Entry> before = Nasty.entries(checkpoint);
    FaultStore counting = FaultStore.counting(disk);
    ArchiveResult whole = archive(counting, directory.resolve("whole"));
    for (int call : counting.writes()) {
      FaultStore retried = FaultStore.failingOnceAt(call, FaultStore.Fault.DUPLICATE, disk);
      assertThat(archive(retried, directory.resolve("at" + call)).sha256())
          .isEqualTo(whole.sha256());
      assertThat(retried.crashed()).isTrue();
    }
    FaultStore restoring = FaultStore.counting(disk);
    Archives.restore(restoring, whole.archive(), Location.of(directory.resolve("restored/target")));
    assertThat(restoring.writes()).hasSizeGreaterThan(3);
    for (int call : restoring.writes()) {
      Path target = directory.resolve("restored at " + call);
      FaultStore retried = FaultStore.failingOnceAt(call, FaultStore.Fault.DUPLICATE, disk);
      Archives.restore(retried, whole.archive(), Location.of(target));
      assertThat(retried.crashed()).isTrue();
      assertThat(Nasty.entries(target)).isEqualTo(before);
    }
  }

  /** What another writer put there meanwhile is neither taken for the archive nor removed. */
  @Test
  void whatAnotherWroteMeanwhileStays() throws IOException {
    MemoryObjectStore bucket = new MemoryObjectStore();
    Location tree = Location.parse("s3a://bucket/old", Path.of("/"));
    bucket.write(tree.child("metadata"), Content.of(new byte[] {1}), Optional.empty());
    Store raced =
        new ForwardingStore(bucket) {
          @Override
          public Receipt write(Location file, Content content, Optional<Instant> modified)
              throws IOException {
            super.write(file, Content.of(new byte[] {9}), Optional.empty());
            return super.write(file, content, modified);
          }
        };
    Location to = Location.parse("s3a://bucket/archive", Path.of("/"));
    assertThatIOException()
        .isThrownBy(() -> Archives.archive(raced, tree, to, CheckpointSummary.unknown()));
    assertThat(bucket.list(to)).hasSize(1);
    assertThat(bucket.readAll(bucket.list(to).get(0).location())).containsExactly(9);
  }
}
