package org.streammigrator.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

class ArchivesTest {
  private static final CheckpointSummary SUMMARY = new CheckpointSummary("id", 7L, null);

  @TempDir private Path directory;
  private final Store store = new LocalStore();
  private Path checkpoint;
  private Path archives;

  @BeforeEach
  void begin() {
    checkpoint = directory.resolve("chk");
    archives = directory.resolve("archives");
  }

  private ArchiveResult archive() throws IOException {
    return archive(archives);
  }

  private ArchiveResult archive(Path to) throws IOException {
    return Archives.archive(store, Location.of(checkpoint), Location.of(to), SUMMARY);
  }

  @Test
  void bringsBackEveryByteAndTime() throws IOException {
    Nasty.tree(checkpoint);
    Map<String, Nasty.Entry> before = Nasty.entries(checkpoint);
    ArchiveResult archived = archive();
    assertThat(archived.existed()).isFalse();
    assertThat(archived.files()).isEqualTo(16);
    assertThat(archived.archive().name()).matches("chk-[0-9a-f]{12}\\.tar\\.zst");
    assertThat(archived.sha256()).isEqualTo(sha256(archived.archive().localPath()));
    assertThat(Archives.verify(store, archived.archive()).damage()).isEmpty();

    Path target = directory.resolve("deep/restored");
    RestoreResult restored = Archives.restore(store, archived.archive(), Location.of(target));
    assertThat(restored.files()).isEqualTo(archived.files());
    assertThat(restored.bytes()).isEqualTo(archived.bytes());
    assertThat(Nasty.entries(target)).isEqualTo(before);
    assertThat(Nasty.entries(checkpoint)).isEqualTo(before);
    assertThat(Copies.verify(store, Location.of(target)).damage()).isEmpty();
    assertThat(Manifests.read(store, Location.of(target)).summary()).isEqualTo(SUMMARY);
    assertThat(names(target.getParent()))
        .containsExactlyInAnyOrder("restored", ".restored.migrator-manifest.json");
    assertThat(names(archives)).containsExactly(archived.archive().name());
  }

  @Test
  void archivesAnEmptyDirectory() throws IOException {
    Files.createDirectories(checkpoint);
    ArchiveResult archived = archive();
    assertThat(archived.files()).isZero();
    Path target = Files.createDirectory(directory.resolve("target"));
    Archives.restore(store, archived.archive(), Location.of(target));
    assertThat(Nasty.entries(target)).hasSize(1);
  }

  @Test
  void keepsFilesLargerThanEveryBuffer() throws IOException {
    byte[] noise = new byte[3_000_001];
    new Random(1).nextBytes(noise);
    Files.createDirectories(checkpoint);
    Files.write(checkpoint.resolve("noise"), noise);
    Files.write(checkpoint.resolve("zeros"), new byte[20_000_000]);
    ArchiveResult archived = archive();
    assertThat(Files.size(archived.archive().localPath())).isLessThan(3_100_000);
    Path target = directory.resolve("target");
    Archives.restore(store, archived.archive(), Location.of(target));
    assertThat(Files.readAllBytes(target.resolve("noise"))).isEqualTo(noise);
    assertThat(Files.readAllBytes(target.resolve("zeros"))).isEqualTo(new byte[20_000_000]);
  }

  @Test
  void tellsOfEveryFileAndThenOfTheArchive() throws IOException {
    Nasty.tree(checkpoint);
    Files.write(checkpoint.resolve("large"), new byte[5_000_000]);
    List<String> told = new ArrayList<>();
    long[] moved = new long[2];
    CopyProgress progress =
        new CopyProgress() {
          @Override
          public void began(Phase phase, long files, long bytes) {
            told.add(phase + " of " + files + ", " + bytes);
          }

          @Override
          public void moved(long bytes) {
            moved[0] += bytes;
          }

          @Override
          public void done(long files) {
            moved[1] += files;
          }

          @Override
          public void ended() {
            told.add(moved[1] + ", " + moved[0]);
          }
        };
    Location place = Location.of(checkpoint);
    ArchiveResult made = Archives.archive(store, place, Location.of(archives), SUMMARY, progress);
    long size = Files.size(made.archive().localPath());
    assertThat(told)
        .containsExactly(
            "ARCHIVE of 17, " + made.bytes(),
            "VERIFY of 1, " + size,
            "18, " + (made.bytes() + size));
    assertThat(made.files()).isEqualTo(17);
  }

  @Test
  void givesTheSameBytesForTheSameTree() throws IOException {
    Nasty.tree(checkpoint);
    ArchiveResult one = archive(directory.resolve("one"));
    Files.setPosixFilePermissions(
        checkpoint.resolve("metadata"), PosixFilePermissions.fromString("rwxrwx---"));
    ArchiveResult two = archive(directory.resolve("two"));
    assertThat(two.archive().name()).isEqualTo(one.archive().name());
    assertThat(two.archive().localPath()).hasSameBinaryContentAs(one.archive().localPath());
    assertThat(two.sha256()).isEqualTo(one.sha256());
  }

  @Test
  void givesTheSameBytesHoweverTheyArrive() throws IOException {
    Nasty.tree(checkpoint);
    byte[] words = new byte[300_000];
    Random random = new Random(4);
    for (int i = 0; i < words.length; i++) {
      words[i] = (byte) (random.nextInt(4) + random.nextInt(2) * (i % 97));
    }
    Files.write(checkpoint.resolve("words"), words);
    ArchiveResult one = archive(directory.resolve("one"));
    ArchiveResult two =
        Archives.archive(
            HookStore.trickling(store),
            Location.of(checkpoint),
            Location.of(directory.resolve("two")),
            SUMMARY);
    assertThat(two.sha256()).isEqualTo(one.sha256());
  }

  @Test
  void findsTheArchiveOfTheSameState() throws IOException {
    Nasty.tree(checkpoint);
    ArchiveResult one = archive();
    FileTime written = Files.getLastModifiedTime(one.archive().localPath());
    ArchiveResult two = archive();
    assertThat(two)
        .isEqualTo(new ArchiveResult(one.archive(), one.files(), one.bytes(), one.sha256(), true));
    assertThat(Files.getLastModifiedTime(two.archive().localPath())).isEqualTo(written);
    assertThat(names(archives)).hasSize(1);
  }

  @Test
  void givesEveryStateItsOwnArchive() throws IOException {
    Nasty.tree(checkpoint);
    archive();
    Nasty.file(checkpoint, "a", "1", "2024-01-01T00:00:00.000000001Z");
    archive();
    Files.createDirectory(checkpoint.resolve("another empty one"));
    archive();
    Path twin = directory.resolve("twin/chk");
    Nasty.tree(twin);
    Nasty.tree(directory.resolve("other/chk"));
    Archives.archive(store, Location.of(twin), Location.of(archives), SUMMARY);
    Archives.archive(
        store, Location.of(directory.resolve("other/chk")), Location.of(archives), SUMMARY);
    assertThat(names(archives)).hasSize(5);
  }

  @Test
  void findsBytesChangedUnderTheSameTimes() throws IOException {
    Nasty.tree(checkpoint);
    archive();
    Nasty.file(checkpoint, "offsets/0", "v1\n{}\n6", "2024-05-06T07:08:09.000000001Z");
    assertThatExceptionOfType(RefusedException.class)
        .isThrownBy(this::archive)
        .satisfies(
            refused ->
                assertThat(refused.finding().code()).isEqualTo(FindingCode.FILE_CHANGED_IN_PLACE));
  }

  @Test
  void doesNotTrustADamagedArchiveThatIsThere() throws IOException {
    Nasty.tree(checkpoint);
    Path archive = archive().archive().localPath();
    byte[] bytes = Files.readAllBytes(archive);
    bytes[bytes.length / 2] ^= 1;
    Files.write(archive, bytes);
    assertThatExceptionOfType(DamagedException.class).isThrownBy(this::archive);
    assertThat(archive).hasBinaryContent(bytes);
  }

  @Test
  void removesTheLeftoverOfACrash() throws IOException {
    Nasty.tree(checkpoint);
    String name = archive().archive().name();
    Files.move(archives.resolve(name), archives.resolve("." + name + ".part"));
    assertThat(archive().existed()).isFalse();
    assertThat(names(archives)).containsExactly(name);
  }

  @Test
  void refusesATargetInsideTheCheckpoint() throws IOException {
    Nasty.tree(checkpoint);
    Path link = Files.createSymbolicLink(directory.resolve("link"), checkpoint);
    Map<String, Nasty.Entry> before = Nasty.entries(checkpoint);
    for (Path inside :
        new Path[] {
          checkpoint, checkpoint.resolve("a b"), checkpoint.resolve("new/one"), link.resolve("new")
        }) {
      assertThatExceptionOfType(RefusedException.class)
          .isThrownBy(() -> archive(inside))
          .satisfies(
              refused ->
                  assertThat(refused.finding().code()).isEqualTo(FindingCode.TARGET_INSIDE_SOURCE));
    }
    assertThat(Nasty.entries(checkpoint)).isEqualTo(before);
  }

  @Test
  void namesWhatCannotBeRead() throws IOException {
    Nasty.tree(checkpoint);
    Files.createSymbolicLink(checkpoint.resolve("offsets/broken"), Path.of("nowhere"));
    Files.createSymbolicLink(checkpoint.resolve("loop"), checkpoint);
    assertThatExceptionOfType(UnreadableSourceException.class)
        .isThrownBy(this::archive)
        .withMessageContaining("offsets/broken")
        .withMessageContaining("loop");
    assertThat(archives).doesNotExist();
  }

  @Test
  void namesWhatIsNotInUtf8() throws Exception {
    Nasty.tree(checkpoint);
    assumeTrue(run("sh", "-c", "touch \"$(printf '" + checkpoint + "/bad\\377')\"") == 0);
    assertThatExceptionOfType(UnreadableSourceException.class)
        .isThrownBy(this::archive)
        .withMessageContaining("bad\uFFFD")
        .withMessageContaining("UTF-8");
    assertThat(archives).isEmptyDirectory();
  }

  @Test
  void followsLinks() throws IOException {
    Nasty.file(directory, "elsewhere/file", "linked", "2024-01-01T00:00:00Z");
    Nasty.file(checkpoint, "metadata", "m", "2024-01-01T00:00:00Z");
    Files.createSymbolicLink(checkpoint.resolve("link"), directory.resolve("elsewhere"));
    Path target = directory.resolve("target");
    Archives.restore(store, archive().archive(), Location.of(target));
    assertThat(target.resolve("link/file")).hasContent("linked");
    assertThat(Files.isSymbolicLink(target.resolve("link"))).isFalse();
  }

  @Test
  void refusesWhatIsNoDirectory() throws IOException {
    assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(this::archive);
    Nasty.file(directory, "chk", "a file", "2024-01-01T00:00:00Z");
    assertThatExceptionOfType(NotDirectoryException.class).isThrownBy(this::archive);
    Files.delete(checkpoint);
    Nasty.tree(checkpoint);
    Nasty.file(directory, "archives", "a file", "2024-01-01T00:00:00Z");
    assertThatExceptionOfType(NotDirectoryException.class).isThrownBy(this::archive);
  }

  @Test
  void keepsNamesWithinWhatFileSystemsAllow() throws IOException {
    checkpoint = directory.resolve("ü:\n".repeat(50) + "z".repeat(50));
    Nasty.tree(checkpoint);
    ArchiveResult archived = archive();
    assertThat(archived.archive().name()).startsWith("ü__ü__").doesNotContain(":");
    Archives.restore(store, archived.archive(), Location.of(directory.resolve("target")));
  }

  @Test
  void noticesATreeThatChangesMeanwhile() throws IOException {
    Nasty.tree(checkpoint);
    Path log = checkpoint.resolve("offsets/0");
    Map<String, HookStore.Hook> changes =
        Map.of(
            "grows", () -> Files.writeString(log, "v1\n{}\n5 and more"),
            "shrinks", () -> Files.writeString(log, "v1"),
            "is touched", () -> Files.setLastModifiedTime(log, FileTime.from(Instant.now())),
            "goes", () -> Files.delete(log),
            "comes", () -> Files.writeString(checkpoint.resolve("offsets/1"), ""),
            "empty directory", () -> Files.createDirectory(checkpoint.resolve("offsets/d")));
    for (Map.Entry<String, HookStore.Hook> change : changes.entrySet()) {
      Files.deleteIfExists(checkpoint.resolve("offsets/1"));
      Files.deleteIfExists(checkpoint.resolve("offsets/d"));
      Nasty.tree(checkpoint);
      Store changing = HookStore.beforeOpening(log, change.getValue(), store);
      assertThatExceptionOfType(SourceChangedException.class)
          .as(change.getKey())
          .isThrownBy(
              () ->
                  Archives.archive(
                      changing, Location.of(checkpoint), Location.of(archives), SUMMARY))
          .withMessageContaining("chk");
      assertThat(names(archives)).isEmpty();
    }
  }

  @Test
  void refusesATargetThatIsNotEmpty() throws IOException {
    Nasty.tree(checkpoint);
    Location archive = archive().archive();
    Path target = directory.resolve("target");
    Nasty.file(target, "mine", "precious", "2024-01-01T00:00:00Z");
    Path file = Nasty.file(directory, "file", "precious", "2024-01-01T00:00:00Z");
    Map<String, Nasty.Entry> before = Nasty.entries(directory);
    for (Path occupied : new Path[] {target, file}) {
      assertThatExceptionOfType(FileAlreadyExistsException.class)
          .isThrownBy(() -> Archives.restore(store, archive, Location.of(occupied)));
    }
    assertThat(Nasty.entries(directory)).isEqualTo(before);
  }

  @Test
  void restoresNothingFromADamagedArchive() throws IOException {
    Nasty.tree(checkpoint);
    Path archive = archive().archive().localPath();
    byte[] bytes = Files.readAllBytes(archive);
    Path target = directory.resolve("out/target");
    Files.createDirectory(directory.resolve("out"));
    for (int at : new int[] {0, bytes.length / 3, bytes.length - 60, bytes.length - 1}) {
      byte[] damaged = bytes.clone();
      damaged[at] ^= 0x10;
      Files.write(archive, damaged);
      assertThatExceptionOfType(DamagedException.class)
          .isThrownBy(() -> Archives.restore(store, Location.of(archive), Location.of(target)))
          .withMessageContaining("is damaged");
      assertThat(names(target.getParent())).isEmpty();
    }
  }

  @Test
  void leavesNothingWhenThereIsNoSpace() throws IOException {
    Nasty.tree(checkpoint);
    Location archive = archive().archive();
    Map<String, Nasty.Entry> before = Nasty.entries(directory);
    for (int room = 0; room < 900; room += 50) {
      Store full = HookStore.withRoom(room, store);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () ->
                  Archives.archive(
                      full,
                      Location.of(checkpoint),
                      Location.of(directory.resolve("more")),
                      SUMMARY))
          .withMessage("No space left on device");
      Files.delete(directory.resolve("more"));
      Store alsoFull = HookStore.withRoom(room / 10, store);
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(
              () -> Archives.restore(alsoFull, archive, Location.of(directory.resolve("target"))))
          .withMessage("No space left on device");
      assertThat(Nasty.entries(directory)).isEqualTo(before);
    }
  }

  @Test
  void leavesNothingOnARealFullDisk() throws Exception {
    Path disk = Files.createDirectory(directory.resolve("disk"));
    assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk.toString()) == 0);
    try {
      Nasty.tree(checkpoint);
      byte[] noise = new byte[200_000];
      new Random(2).nextBytes(noise);
      Files.write(checkpoint.resolve("noise"), noise);
      Location archive = archive().archive();
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> archive(disk))
          .withMessageContaining("No space left");
      assertThatExceptionOfType(IOException.class)
          .isThrownBy(() -> Archives.restore(store, archive, Location.of(disk.resolve("target"))))
          .withMessageContaining("No space left");
      assertThat(names(disk)).isEmpty();
    } finally {
      run("umount", disk.toString());
    }
  }

  @Test
  void leavesNothingWithoutPermission() throws IOException {
    Path closed = Files.createDirectory(directory.resolve("closed"));
    Nasty.tree(checkpoint);
    Location archive = archive().archive();
    Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("r-xr-xr-x"));
    assumeFalse(Files.isWritable(closed), "this user may do everything");
    assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(() -> archive(closed));
    assertThatExceptionOfType(AccessDeniedException.class)
        .isThrownBy(() -> Archives.restore(store, archive, Location.of(closed.resolve("target"))));
    assertThat(names(closed)).isEmpty();
    Files.setPosixFilePermissions(
        checkpoint.resolve("offsets/0"), PosixFilePermissions.fromString("---------"));
    Nasty.file(checkpoint, "new", "state", "2024-01-01T00:00:00Z");
    assertThatExceptionOfType(AccessDeniedException.class).isThrownBy(this::archive);
  }

  @Test
  void isReadByTarAndZstd() throws Exception {
    assumeTrue(run("sh", "-c", "tar --version && zstd --version") == 0);
    Nasty.tree(checkpoint);
    Path archive = archive().archive().localPath();
    Path target = Files.createDirectory(directory.resolve("target"));
    assertThat(run("tar", "--zstd", "-xf", archive.toString(), "-C", target.toString())).isZero();
    assertThat(Nasty.entries(target.resolve("checkpoint"))).isEqualTo(Nasty.entries(checkpoint));
    assertThat(run("zstd", "-t", archive.toString())).isZero();
  }

  private static int run(String... command) throws Exception {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      process.getInputStream().transferTo(OutputStream.nullOutputStream());
      return process.waitFor();
    } catch (IOException noSuchProgram) {
      return -1;
    }
  }

  private static String sha256(Path file) throws IOException {
    return HexFormat.of().formatHex(Sha256.digest().digest(Files.readAllBytes(file)));
  }

  private static java.util.List<String> names(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.map(child -> child.getFileName().toString()).toList();
    }
  }
}
