package org.streammigrator.copy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

class CopiesTest {
  @TempDir private Path directory;
  private final Store store = new LocalStore();
  private Path copy;

  @BeforeEach
  void begin() throws IOException {
    copy = directory.resolve("copy");
    Nasty.tree(copy);
    Manifests.write(store, Location.of(copy), Copies.hash(store, Location.of(copy)));
  }

  private void expect(String... kindAndPath) throws IOException {
    Verification verification = Copies.verify(store, Location.of(copy));
    assertThat(verification.damage())
        .extracting(damage -> damage.kind() + " " + damage.path())
        .containsExactlyInAnyOrder(kindAndPath);
  }

  @Test
  void verifiesWhatIsRight() throws IOException {
    expect();
    Verification verification = Copies.verify(store, Location.of(copy));
    assertThat(verification.ok()).isTrue();
    assertThat(verification.files()).isEqualTo(16);
    assertThat(Manifests.locationFor(Location.of(copy)))
        .isEqualTo(Location.of(directory.resolve(".copy.migrator-manifest.json")));
  }

  @Test
  void namesEveryDifference() throws IOException {
    Files.writeString(copy.resolve("metadata"), "{\"id\":\"y\"}");
    Files.writeString(copy.resolve("a"), "longer");
    Files.delete(copy.resolve("offsets/0"));
    Files.delete(copy.resolve("commits"));
    Files.writeString(copy.resolve("offsets/1"), "");
    Files.createDirectory(copy.resolve("offsets/d"));
    Files.createSymbolicLink(copy.resolve("link"), Path.of("nowhere"));
    Files.delete(copy.resolve("back\\slash"));
    Files.createSymbolicLink(copy.resolve("back\\slash"), Path.of("nowhere"));
    expect(
        "CHANGED metadata",
        "CHANGED a",
        "MISSING offsets/0",
        "MISSING commits",
        "ADDED offsets/1",
        "ADDED offsets/d",
        "UNREADABLE link",
        "UNREADABLE back\\slash");
  }

  @Test
  void doesNotMindTimes() throws IOException {
    Nasty.file(copy, "a", "1", "2024-01-01T00:00:00Z");
    expect();
  }

  @Test
  void needsTheCopyAndItsManifest() throws IOException {
    Location manifest = Manifests.locationFor(Location.of(copy));
    byte[] half = store.readAll(manifest);
    Files.write(manifest.localPath(), java.util.Arrays.copyOf(half, half.length / 2));
    expect("UNREADABLE " + manifest);
    store.delete(manifest);
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Copies.verify(store, Location.of(copy)));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> Copies.verify(store, Location.of(directory.resolve("missing"))));
  }

  @Test
  void noticesWhatChangesWhileItIsHashed() throws IOException {
    Path log = copy.resolve("offsets/0");
    Store growing =
        HookStore.beforeOpening(log, () -> Files.writeString(log, "longer than before"), store);
    assertThatExceptionOfType(SourceChangedException.class)
        .isThrownBy(() -> Copies.hash(growing, Location.of(copy)));
    Store going = HookStore.beforeOpening(log, () -> Files.delete(log), store);
    assertThatExceptionOfType(SourceChangedException.class)
        .isThrownBy(() -> Copies.hash(going, Location.of(copy)));
  }
}
