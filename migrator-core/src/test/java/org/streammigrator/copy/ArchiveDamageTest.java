package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.copy.Damage.Kind;
import org.streammigrator.storage.FaultSample;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

class ArchiveDamageTest {
  private static final ManifestFile A = Crafted.listed("offsets/0", "zero");
  private static final ManifestFile B = Crafted.listed("offsets/1", "one");

  @TempDir private Path directory;
  private final Store store = new LocalStore();
  private Path archive;

  @BeforeEach
  void begin() {
    archive = directory.resolve("chk-000000000000.tar.zst");
  }

  private Verification verify(byte[] bytes) throws IOException {
    Files.write(archive, bytes);
    return Archives.verify(store, Location.of(archive));
  }

  private byte[] realArchive() throws IOException {
    Path checkpoint = directory.resolve("chk");
    Nasty.file(checkpoint, "offsets/0", "v1\n{}\n5\n", "2024-05-06T07:08:09.123456789Z");
    Nasty.file(checkpoint, "metadata", "{\"id\":\"0\"}", "2024-05-06T07:08:09.000000001Z");
    Files.createDirectory(checkpoint.resolve("commits"));
    ArchiveResult result =
        Archives.archive(
            store, Location.of(checkpoint), Location.of(directory), CheckpointSummary.unknown());
    return Files.readAllBytes(result.archive().localPath());
  }

  /** Expects exactly this damage, of the archive as it is and of its restore. */
  private void expect(byte[] bytes, String... kindAndPath) throws IOException {
    Verification verification = verify(bytes);
    assertThat(verification.damage())
        .extracting(damage -> damage.kind() + " " + damage.path())
        .containsExactlyInAnyOrder(kindAndPath);
    assertThat(verification.damage()).allSatisfy(d -> assertThat(d.message()).contains(" "));
    Path target = directory.resolve("deep/target");
    if (kindAndPath.length > 0) {
      assertThatExceptionOfType(DamagedException.class)
          .isThrownBy(() -> Archives.restore(store, Location.of(archive), Location.of(target)));
      assertThat(directory.resolve("deep"))
          .satisfiesAnyOf(
              deep -> assertThat(deep).doesNotExist(), deep -> assertThat(deep).isEmptyDirectory());
      try (var left = Files.list(directory)) {
        assertThat(left.map(path -> path.getFileName().toString()))
            .isSubsetOf("deep", archive.getFileName().toString());
      }
    }
  }

  /** Expects the same of the older and of the newer format. */
  private void expectBoth(Crafted crafted, String... kindAndPath) throws IOException {
    expect(crafted.sealed(), kindAndPath);
    expect(crafted.framed(), kindAndPath);
  }

  private String whole(Kind kind) {
    return kind + " " + archive.getFileName();
  }

  @Test
  void findsEveryFlippedBit() throws IOException {
    byte[] bytes = realArchive();
    assertThat(verify(bytes).damage()).isEmpty();
    List<Integer> bits = new ArrayList<>();
    for (int at = 0; at < bytes.length; at++) {
      // Every bit of the framing at both ends, one bit of every byte between.
      boolean framing = at < 64 || at >= bytes.length - 64;
      for (int bit = framing ? 0 : at % 8; bit < (framing ? 8 : at % 8 + 1); bit++) {
        bits.add(8 * at + bit);
      }
    }
    for (int bit : FaultSample.of(bits, 400)) {
      byte[] damaged = bytes.clone();
      damaged[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(verify(damaged).damage()).as("byte %d bit %d", bit / 8, bit % 8).isNotEmpty();
    }
  }

  @Test
  void findsEveryTruncation() throws IOException {
    byte[] bytes = realArchive();
    for (int length : FaultSample.between(0, bytes.length - 1, 200)) {
      assertThat(verify(Arrays.copyOf(bytes, length)).damage())
          .as("the first %d of %d bytes", length, bytes.length)
          .singleElement()
          .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Kind.TRUNCATED));
    }
  }

  @Test
  void findsWhatIsAppended() throws IOException {
    byte[] bytes = realArchive();
    Files.delete(directory.resolve("chk/commits"));
    for (int length : new int[] {1, 39, 40, 41, 100_000}) {
      for (byte[] garbage : new byte[][] {new byte[length], Arrays.copyOf(bytes, length)}) {
        assertThat(verify(Crafted.concat(bytes, garbage)).damage())
            .singleElement()
            .satisfies(damage -> assertThat(damage.kind()).isEqualTo(Kind.ADDED));
      }
    }
  }

  @Test
  void survivesNoise() throws IOException {
    byte[] real = realArchive();
    byte[] tar = Crafted.decompress(real);
    Random random = new Random(3);
    for (int round = 0; round < (FaultSample.ALL ? 300 : 80); round++) {
      byte[] noise = new byte[random.nextInt(2000)];
      random.nextBytes(noise);
      assertThat(verify(noise).ok()).isFalse();
      byte[] damaged = tar.clone();
      for (int i = random.nextInt(4); i >= 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
      }
      byte[] cut = Arrays.copyOf(damaged, random.nextInt(damaged.length));
      verify(Crafted.sealed(damaged));
      verify(Crafted.framed(damaged, 4));
      assertThat(verify(Crafted.framed(cut, 4)).ok() && cut.length < tar.length).isFalse();
      assertThat(verify(Crafted.sealed(cut)).ok() && cut.length < tar.length - 1024).isFalse();
    }
  }

  @Test
  void acceptsWhatIsRight() throws IOException {
    expectBoth(
        new Crafted()
            .file("checkpoint/offsets/0", "zero")
            .file("checkpoint/offsets/1", "one")
            .manifest(A, B));
  }

  @Test
  void namesAnAddedAMissingAndARenamedFile() throws IOException {
    expectBoth(
        new Crafted().file("checkpoint/offsets/0", "zero").file("checkpoint/x", "").manifest(A),
        "ADDED x");
    expectBoth(
        new Crafted().file("checkpoint/offsets/1", "one").manifest(A, B), "MISSING offsets/0");
    expectBoth(
        new Crafted()
            .file("checkpoint/offsets/1", "one")
            .file("checkpoint/offsets/2", "zero")
            .manifest(A, B),
        "MISSING offsets/0",
        "ADDED offsets/2");
  }

  @Test
  void namesChangedFiles() throws IOException {
    expectBoth(
        new Crafted()
            .file("checkpoint/offsets/0", "null")
            .file("checkpoint/offsets/1", "one more")
            .manifest(A, B),
        "CHANGED offsets/0",
        "CHANGED offsets/1");
    ManifestFile later =
        new ManifestFile(A.path(), A.size(), A.sha256(), A.modified().plusNanos(1));
    expectBoth(
        new Crafted().file("checkpoint/offsets/0", "zero").manifest(later), "CHANGED offsets/0");
  }

  @Test
  void namesDirectories() throws IOException {
    expectBoth(
        new Crafted()
            .entry("checkpoint/d/", TarConstants.LF_DIR, new byte[0])
            .manifest(List.of(), List.of("e")),
        "ADDED d",
        "MISSING e");
  }

  @Test
  void namesEntriesThatStandTwice() throws IOException {
    expectBoth(
        new Crafted()
            .file("checkpoint/offsets/0", "zero")
            .file("checkpoint/offsets/0", "zero")
            .manifest(A),
        "ADDED offsets/0");
    expectBoth(
        new Crafted()
            .file("checkpoint/offsets/0", "zero")
            .file("checkpoint/offsets/0/below", "")
            .file("checkpoint/offsets", "")
            .manifest(A),
        "ADDED offsets/0/below",
        "ADDED offsets");
  }

  @Test
  void refusesNamesThatLeadOut() throws IOException {
    expectBoth(
        new Crafted()
            .file("checkpoint/../../escaped", "")
            .file("checkpoint/a/../../../escaped", "")
            .file("../escaped", "")
            .file("checkpoint//double", "")
            .file("checkpoint/./dot", "")
            .file("elsewhere", "")
            .manifest(),
        "ADDED checkpoint/../../escaped",
        "ADDED checkpoint/a/../../../escaped",
        "ADDED ../escaped",
        "ADDED checkpoint//double",
        "ADDED checkpoint/./dot",
        "ADDED elsewhere");
    expectBoth(
        new Crafted()
            .file("/tmp/escaped", "")
            .file("checkpoint/" + "/long".repeat(60), "")
            .manifest(),
        "ADDED /tmp/escaped",
        "ADDED checkpoint/" + "/long".repeat(60));
  }

  @Test
  void refusesLinks() throws IOException {
    expectBoth(
        new Crafted()
            .entry("checkpoint/link", TarConstants.LF_SYMLINK, new byte[0])
            .entry("checkpoint/hard", TarConstants.LF_LINK, new byte[0])
            .entry("checkpoint/fifo", TarConstants.LF_FIFO, new byte[0])
            .manifest(),
        "ADDED checkpoint/link",
        "ADDED checkpoint/hard",
        "ADDED checkpoint/fifo");
  }

  @Test
  void wantsOneManifestAtTheEnd() throws IOException {
    expectBoth(new Crafted().file("checkpoint/a", ""), "MISSING manifest.json");
    expectBoth(
        new Crafted().manifest(A).file("checkpoint/offsets/0", "zero"),
        "ADDED checkpoint/offsets/0");
    expectBoth(
        new Crafted().file("checkpoint/offsets/0", "zero").manifest(A).manifest(A, B),
        "ADDED manifest.json");
  }

  @Test
  void refusesManifestsThatCannotBeUsed() throws IOException {
    for (String json :
        List.of(
            "",
            "{",
            "[]",
            "null",
            "{}",
            "{\"schema\":\"migrator/manifest/2\"}",
            "\u0000",
            "[".repeat(100_000),
            "{\"x\":" + "[".repeat(100_000),
            " ".repeat(20 << 20))) {
      expectBoth(new Crafted().file("manifest.json", json), "UNREADABLE manifest.json");
    }
  }

  @Test
  void isNotFooledByClaims() throws IOException {
    for (long size : new long[] {1, 1L << 33, 1L << 62, Long.MAX_VALUE}) {
      expect(Crafted.sealed(new Crafted().claim("checkpoint/a", size).tarSoFar()), "TRUNCATED a");
    }
    byte[] longName = new byte[40 << 20];
    Arrays.fill(longName, (byte) 'x');
    byte[] tar =
        new Crafted()
            .entry("././@LongLink", TarConstants.LF_PAX_EXTENDED_HEADER_LC, longName)
            .manifest()
            .tar();
    expect(Crafted.sealed(tar), whole(Kind.UNREADABLE));
    for (char type : new char[] {'L', 'K', 'g'}) {
      expect(Crafted.sealed(Crafted.retyped(tar, type)), whole(Kind.UNREADABLE));
    }
  }

  @Test
  void refusesOtherFrames() throws IOException {
    byte[] tar = new Crafted().manifest().tar();
    byte[] frame = Crafted.compress(tar);
    expect(frame, whole(Kind.TRUNCATED));
    expect(Crafted.seal(Crafted.concat(frame, frame)), whole(Kind.ADDED));
    expect(Crafted.concat(Crafted.seal(frame), Crafted.seal(frame)), whole(Kind.ADDED));
    expect(Crafted.seal(new byte[0]), whole(Kind.TRUNCATED));
    expect(new byte[0], whole(Kind.TRUNCATED));
    expect("just a text".getBytes(UTF_8), whole(Kind.UNREADABLE));
    byte[] hidden = Crafted.concat(tar, "hidden".getBytes(UTF_8));
    expect(Crafted.sealed(hidden), whole(Kind.ADDED));
    expect(Crafted.sealed(Crafted.concat(tar, new byte[2 << 20])), whole(Kind.ADDED));
  }

  @Test
  void knowsAnArchiveFromOtherFiles() throws IOException {
    Files.write(archive, new byte[0]);
    Path other = directory.resolve("other");
    Files.write(other, new Crafted().manifest().sealed());
    Path text = directory.resolve("text");
    Files.writeString(text, "text");
    assertThat(Archives.isArchive(store, Location.of(archive))).isTrue();
    assertThat(Archives.isArchive(store, Location.of(other))).isTrue();
    assertThat(Archives.isArchive(store, Location.of(text))).isFalse();
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Archives.verify(store, Location.of(directory.resolve("missing"))));
  }
}
