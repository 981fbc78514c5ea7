package org.streammigrator.authoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.SourceChangedException;
import org.streammigrator.copy.Verification;
import org.streammigrator.finding.Exactness;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

class CheckpointWriterTest {
  private static final CopyOptions ONE = CopyOptions.DEFAULT.withThreads(1).withAttempts(1);
  private static final Instant TIME = Instant.parse("2024-03-01T10:20:30.123456Z");
  private static final Location BUCKET = Location.parse("s3://bucket/q", Path.of("/"));

  @TempDir Path directory;

  private final List<String> written = new ArrayList<>();

  @Test
  void writesInOrderWhereNothingCanBeMoved() throws IOException {
    Store store = recording(new MemoryObjectStore());
    Draft draft = seed(store, BUCKET);
    written.clear();
    migrate(store, BUCKET, draft);
    assertThat(written.stream().filter(path -> path.startsWith("/q/new/")).toList())
        .startsWith("/q/new/metadata", "/q/new/offsets/11")
        .endsWith("/q/new/offsets/10")
        .hasSize(draft.files().size());
    assertThat(store.list(BUCKET).stream().map(entry -> entry.location().name()))
        .containsExactly(".new.migrator-manifest.json", "new", "old");
    assertThat(CheckpointWriter.isUnpublished(store, BUCKET.child("new"))).isFalse();
  }

  @Test
  void endsInTheSameBytesAfterACrashAtEveryCallInAnObjectStore() throws IOException {
    // A write there is whole or did not happen, so that none is torn.
    int crashes =
        crashEverywhere(MemoryObjectStore::new, BUCKET, FaultStore.Fault.BEFORE, false)
            + crashEverywhere(MemoryObjectStore::new, BUCKET, FaultStore.Fault.AFTER, false);
    assertThat(crashes).isGreaterThan(40);
  }

  @Test
  void endsInTheSameBytesAfterACrashAtEveryCallOnADisk() throws IOException {
    int crashes = 0;
    for (FaultStore.Fault fault : FaultStore.Fault.values()) {
      Location place = Location.of(directory.resolve(fault.name()));
      crashes += crashEverywhere(LocalStore::new, place, fault, true);
    }
    assertThat(crashes).isGreaterThan(60);
  }

  private interface Stores {
    Store make();
  }

  private int crashEverywhere(Stores stores, Location base, FaultStore.Fault fault, boolean apart)
      throws IOException {
    for (int call = 1; ; call++) {
      Store store = stores.make();
      Location place = apart ? base.child("call" + call) : base;
      Draft draft = seed(store, place);
      Map<String, String> old = tree(store, place.child("old"));
      FaultStore faulty = FaultStore.crashingAt(call, fault, store);
      try {
        migrate(faulty, place, draft);
        return call - 1;
      } catch (IOException crash) {
        assertThat(faulty.crashed()).as("call %d", call).isTrue();
      }
      Location target = place.child("new");
      boolean startable = store.stat(target.child("offsets/10")).isPresent();
      if (startable) {
        assertThat(tree(store, target)).as("call %d", call).isEqualTo(expected(old));
      }
      migrateUnlessDone(store, place, draft);
      assertThat(tree(store, target)).as("call %d", call).isEqualTo(expected(old));
      assertThat(tree(store, place.child("old"))).isEqualTo(old);
      assertThat(CheckpointWriter.isUnpublished(store, target)).isFalse();
    }
  }

  @Test
  void neverTouchesWhatAnotherPutThere() throws IOException {
    Store store = new MemoryObjectStore();
    Draft draft = seed(store, BUCKET);
    write(store, BUCKET.child("new/state/0/0/99.delta"), "another's");
    Map<String, String> before = tree(store, BUCKET.child("new"));
    assertThatThrownBy(() -> migrate(store, BUCKET, draft))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessageContaining("99.delta");
    assertThat(tree(store, BUCKET.child("new"))).isEqualTo(before);
    assertThat(CheckpointWriter.isOurs(store, BUCKET.child("new"), "us")).isFalse();
  }

  @Test
  void noticesAFileThatShrankMeanwhile() throws IOException {
    Store store = new LocalStore();
    Location place = Location.of(directory);
    Draft draft = seed(store, place);
    store.delete(place.child("old/state/0/0/3.delta"));
    write(store, place.child("old/state/0/0/3.delta"), "x");
    assertThatThrownBy(() -> migrate(store, place, draft))
        .isInstanceOf(SourceChangedException.class)
        .hasMessageContaining("3.delta");
    assertThat(store.stat(place.child("new"))).isEmpty();
  }

  @Test
  void copiesOnlyTheDifferenceTheSecondTime() throws IOException {
    Store store = recording(new LocalStore());
    Location place = Location.of(directory);
    for (int i = 0; i < 300; i++) {
      write(store, place.child("old/state/0/" + i + "/1.delta"), "state " + i);
    }
    Draft first = seed(store, place);
    new CheckpointWriter(store, CopyOptions.DEFAULT.recordedEvery(Duration.ZERO), "us")
        .stage(place.child("old"), first, place.child("new"));
    Location rewritten = place.child("old/state/0/7/1.delta");
    store.delete(rewritten);
    store.write(
        rewritten,
        Content.of("STATE 7".getBytes(StandardCharsets.UTF_8)),
        Optional.of(Instant.parse("2024-03-02T00:00:00Z")));
    written.clear();
    migrate(store, place, draft(store, place));
    assertThat(written.stream().filter(path -> path.contains("/state/")).toList())
        .singleElement()
        .asString()
        .endsWith("/state/0/7/1.delta");
    assertThat(store.readAll(place.child("new/state/0/7/1.delta"))).asString().isEqualTo("STATE 7");
  }

  @Test
  void holdsBackWhatMakesItStartable() {
    assertThat(WriteOrder.of(List.of("metadata", "offsets/0", "commits/0")))
        .isEqualTo(new WriteOrder(List.of("metadata"), Optional.of("offsets/0")));
    assertThat(WriteOrder.of(List.of("offsets/9", "offsets/10", "offsets/8", "metadata")))
        .isEqualTo(new WriteOrder(List.of("metadata", "offsets/10"), Optional.of("offsets/9")));
    assertThat(WriteOrder.of(List.of("offsets/4", "offsets/2")))
        .isEqualTo(new WriteOrder(List.of(), Optional.of("offsets/4")));
    assertThat(WriteOrder.of(List.of("metadata", "offsets/.1.crc")))
        .isEqualTo(new WriteOrder(List.of(), Optional.of("metadata")));
  }

  private static void migrateUnlessDone(Store store, Location place, Draft draft)
      throws IOException {
    Location target = place.child("new");
    boolean done = store.stat(target).isPresent() && !CheckpointWriter.isUnpublished(store, target);
    if (!done) {
      migrate(store, place, draft);
    }
  }

  private static void migrate(Store store, Location place, Draft draft) throws IOException {
    CheckpointWriter writer = new CheckpointWriter(store, ONE, "us");
    Location target = place.child("new");
    CheckpointWriter.Staged staged = writer.stage(place.child("old"), draft, target);
    assertThat(store.stat(target.child("offsets/10"))).isEmpty();
    Verification verification = writer.verify(staged);
    if (!verification.ok()) {
      throw new IOException(verification.damage().toString());
    }
    writer.publish(staged, target);
  }

  private static Draft seed(Store store, Location place) throws IOException {
    for (String path :
        List.of(
            "metadata",
            "offsets/9",
            "offsets/10",
            "offsets/11",
            "commits/9",
            "commits/10",
            "state/0/0/3.delta",
            "state/0/0/odd ü%20#?.delta")) {
      write(store, place.child("old").child(path), "content of " + path);
    }
    return draft(store, place);
  }

  private static Draft draft(Store store, Location place) throws IOException {
    List<TargetFile> files = new ArrayList<>();
    new CheckpointReader(store)
        .list(place.child("old")).stream()
            .filter(file -> file.isFile())
            .filter(file -> !file.path().equals("commits/10"))
            .forEach(file -> files.add(new TargetFile.Copied(file.path(), file)));
    files.add(new TargetFile.Authored("commits/10", "authored", TIME));
    return new Draft(
        files,
        "id",
        OptionalLong.of(11),
        OptionalLong.of(10),
        Exactness.EXACT,
        "as it is",
        List.of());
  }

  private static Map<String, String> expected(Map<String, String> old) {
    Map<String, String> expected = new TreeMap<>(old);
    expected.put("commits/10", "authored");
    return expected;
  }

  private static void write(Store store, Location file, String text) throws IOException {
    store.write(file, Content.of(text.getBytes(StandardCharsets.UTF_8)), Optional.of(TIME));
  }

  private static Map<String, String> tree(Store store, Location place) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (StoreEntry entry : store.walk(place)) {
      if (entry.isFile()) {
        files.put(
            entry.location().relativeTo(place),
            new String(store.readAll(entry.location()), StandardCharsets.UTF_8));
      }
    }
    return files;
  }

  private Store recording(Store store) {
    return new ForwardingStore(store) {
      @Override
      public Receipt write(Location file, Content content, Optional<Instant> modified)
          throws IOException {
        synchronized (written) {
          written.add(file.path());
        }
        return super.write(file, content, modified);
      }

      @Override
      public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
          throws IOException {
        synchronized (written) {
          written.add(to.path());
        }
        return super.copyWithin(from, to, modified);
      }
    };
  }
}
