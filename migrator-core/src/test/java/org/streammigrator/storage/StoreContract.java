package org.streammigrator.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What every {@link Store} does; a backend is tested by a small subclass. */
public abstract class StoreContract {
  private static final Instant TIME = Instant.parse("2020-02-29T01:02:03Z");

  private Store store;
  private Location root;

  /** The store under test. */
  protected abstract Store store();

  /** An existing, empty place in it, another one for every test. */
  protected abstract Location emptyPlace();

  @BeforeEach
  final void begin() {
    store = store();
    root = emptyPlace();
  }

  private void write(Location file, String text) throws IOException {
    store.write(file, Content.of(text.getBytes(UTF_8)), Optional.empty());
  }

  private String read(Location file) throws IOException {
    return new String(store.readAll(file), UTF_8);
  }

  private List<String> paths(List<StoreEntry> entries) {
    return entries.stream().map(entry -> entry.location().relativeTo(root)).toList();
  }

  @Test
  void readsWhatWasWritten() throws IOException {
    Location file = root.child("a/b/file");
    write(file, "größe");
    assertThat(read(file)).isEqualTo("größe");
    StoreEntry entry = store.stat(file).orElseThrow();
    assertThat(entry.isFile()).isTrue();
    assertThat(entry.size()).isEqualTo("größe".getBytes(UTF_8).length);
    assertThat(entry.location()).isEqualTo(file);
    assertThat(store.stat(root.child("a/b")).orElseThrow().isDirectory()).isTrue();
  }

  @Test
  void writesEmptyAndLargeFiles() throws IOException {
    write(root.child("empty"), "");
    assertThat(store.readAll(root.child("empty"))).isEmpty();
    byte[] large = new byte[(1 << 20) + 7];
    large[large.length - 1] = 1;
    store.write(root.child("large"), Content.of(large), Optional.empty());
    assertThat(store.readAll(root.child("large"))).isEqualTo(large);
  }

  @Test
  void setsTheModificationTime() throws IOException {
    Location file = root.child("file");
    store.write(file, Content.of(new byte[3]), Optional.of(TIME));
    if (store.traits(root).keepsTimes()) {
      assertThat(store.stat(file).orElseThrow().modified()).isEqualTo(TIME);
    }
  }

  @Test
  void neverOverwrites() throws IOException {
    Location file = root.child("file");
    write(file, "old");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> write(file, "new"));
    assertThat(read(file)).isEqualTo("old");
  }

  @Test
  void passesOnTheFailureOfContent() {
    assertThatIOException()
        .isThrownBy(
            () ->
                store.write(
                    root.child("file"),
                    out -> {
                      out.write(1);
                      throw new IOException("no more");
                    },
                    Optional.empty()))
        .withMessageContaining("no more");
  }

  private static final class NoMore extends IOException {}

  @Test
  void throwsWhatTheContentThrows() {
    NoMore thrown = new NoMore();
    assertThatIOException()
        .isThrownBy(
            () ->
                store.write(
                    root.child("file"),
                    out -> {
                      throw thrown;
                    },
                    Optional.empty()))
        .isSameAs(thrown);
  }

  @Test
  void listsOneLevelSorted() throws IOException {
    write(root.child("b"), "");
    write(root.child("a/x"), "");
    write(root.child(".hidden"), "");
    write(root.child("_c"), "");
    assertThat(paths(store.list(root))).containsExactly(".hidden", "_c", "a", "b");
  }

  @Test
  void walksAllLevelsSorted() throws IOException {
    write(root.child("a/.x/1"), "");
    write(root.child("a/2"), "");
    write(root.child("b"), "");
    assertThat(paths(store.walk(root))).containsExactly("a", "a/.x", "a/.x/1", "a/2", "b");
  }

  @Test
  void keepsAwkwardNames() throws IOException {
    List<String> names = List.of("a b", "k=%20v", "ü日", "x#y?z", "p+q");
    for (String name : names) {
      write(root.child("in " + name).child(name), name);
    }
    for (String name : names) {
      assertThat(read(root.child("in " + name).child(name))).isEqualTo(name);
    }
    assertThat(store.walk(root)).filteredOn(StoreEntry::isFile).hasSize(names.size());
  }

  @Test
  void tellsAMissingPlaceFromAFile() throws IOException {
    write(root.child("file"), "");
    assertThat(store.stat(root.child("missing"))).isEmpty();
    assertThat(store.stat(root.child("missing/below"))).isEmpty();
    assertThat(store.stat(root.child("file/below"))).isEmpty();
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.list(root.child("missing")));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.walk(root.child("missing")));
    assertThatExceptionOfType(NoSuchFileException.class)
        .isThrownBy(() -> store.readAll(root.child("missing")));
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.list(root.child("file")));
    assertThatExceptionOfType(NotDirectoryException.class)
        .isThrownBy(() -> store.walk(root.child("file")));
  }

  @Test
  void doesNotOpenADirectory() throws IOException {
    store.createDirectory(root.child("dir"));
    assertThatIOException()
        .isThrownBy(
            () -> {
              try (InputStream in = store.open(root.child("dir"))) {
                in.read();
              }
            });
  }

  @Test
  void makesDirectories() throws IOException {
    assumeThat(store.traits(root).publishes()).isTrue();
    store.createDirectory(root.child("a/b"));
    store.createDirectory(root.child("a/b"));
    assertThat(paths(store.walk(root))).containsExactly("a", "a/b");
  }

  @Test
  void publishesATree() throws IOException {
    assumeThat(store.traits(root).publishes()).isTrue();
    write(root.child("staged/x/1"), "one");
    store.createDirectory(root.child("staged/empty"));
    store.publish(root.child("staged"), root.child("deep/final"));
    assertThat(paths(store.walk(root)))
        .containsExactly(
            "deep", "deep/final", "deep/final/empty", "deep/final/x", "deep/final/x/1");
    assertThat(read(root.child("deep/final/x/1"))).isEqualTo("one");
  }

  @Test
  void publishesOverAnEmptyDirectoryOnly() throws IOException {
    assumeThat(store.traits(root).publishes()).isTrue();
    write(root.child("staged/1"), "new");
    store.createDirectory(root.child("empty"));
    store.publish(root.child("staged"), root.child("empty"));
    assertThat(read(root.child("empty/1"))).isEqualTo("new");

    write(root.child("staged/1"), "newer");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish(root.child("staged"), root.child("empty")));
    assertThat(read(root.child("empty/1"))).isEqualTo("new");
    assertThat(read(root.child("staged/1"))).isEqualTo("newer");
  }

  @Test
  void publishesAFile() throws IOException {
    assumeThat(store.traits(root).publishes()).isTrue();
    write(root.child("staged"), "new");
    store.publish(root.child("staged"), root.child("final"));
    assertThat(paths(store.walk(root))).containsExactly("final");

    write(root.child("staged"), "newer");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish(root.child("staged"), root.child("final")));
    assertThat(read(root.child("final"))).isEqualTo("new");
  }

  @Test
  void doesNotPublishOverAFileWhatIsADirectory() throws IOException {
    assumeThat(store.traits(root).publishes()).isTrue();
    write(root.child("staged/1"), "");
    write(root.child("final"), "old");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.publish(root.child("staged"), root.child("final")));
    assertThat(read(root.child("final"))).isEqualTo("old");
  }

  @Test
  void deletesFilesAndEmptyDirectories() throws IOException {
    write(root.child("dir/file"), "");
    assertThatIOException().isThrownBy(() -> store.delete(root.child("dir")));
    store.delete(root.child("dir/file"));
    store.delete(root.child("dir"));
    store.delete(root.child("dir"));
    assertThat(store.stat(root.child("dir"))).isEmpty();
  }

  @Test
  void readsFromAnOffset() throws IOException {
    write(root.child("file"), "0123456789");
    for (int offset : new int[] {0, 1, 9, 10, 11}) {
      try (InputStream in = store.open(root.child("file"), offset)) {
        assertThat(new String(in.readAllBytes(), UTF_8))
            .isEqualTo("0123456789".substring(Math.min(offset, 10)));
      }
    }
  }

  @Test
  void leavesNothingOfAWriteThatFailed() throws IOException {
    assumeThat(store.traits(root).wholeOrNothing()).isTrue();
    byte[] much = new byte[9 << 20];
    assertThatIOException()
        .isThrownBy(
            () ->
                store.write(
                    root.child("file"),
                    out -> {
                      out.write(much);
                      throw new IOException("no more");
                    },
                    Optional.empty()));
    assertThat(store.stat(root.child("file"))).isEmpty();
  }

  @Test
  void changesTheTagWithTheBytes() throws IOException {
    write(root.child("file"), "old");
    Optional<String> old = store.stat(root.child("file")).orElseThrow().tag();
    assumeThat(old).isPresent();
    assertThat(store.walk(root).get(0).tag()).isEqualTo(old);
    store.delete(root.child("file"));
    write(root.child("file"), "new");
    assertThat(store.stat(root.child("file")).orElseThrow().tag()).isNotEqualTo(old);
  }

  @Test
  void copiesWithinOrSaysThatItDoesNot() throws IOException {
    write(root.child("from"), "text");
    StoreEntry from = store.stat(root.child("from")).orElseThrow();
    Optional<Receipt> copied = store.copyWithin(from, root.child("to"), Optional.empty());
    assertThat(store.stat(root.child("to")).isPresent()).isEqualTo(copied.isPresent());
    assumeThat(copied).isPresent();
    assertThat(read(root.child("to"))).isEqualTo("text");
    assertThatExceptionOfType(FileAlreadyExistsException.class)
        .isThrownBy(() -> store.copyWithin(from, root.child("to"), Optional.empty()));
    store.delete(root.child("from"));
    write(root.child("from"), "other");
    assertThatIOException()
        .isThrownBy(() -> store.copyWithin(from, root.child("to 2"), Optional.empty()))
        .isNotInstanceOf(FileAlreadyExistsException.class);
    assertThat(store.stat(root.child("to 2"))).isEmpty();
  }

  @Test
  void deletesMany() throws IOException {
    write(root.child("a"), "");
    write(root.child("b c"), "");
    write(root.child("d"), "");
    store.deleteAll(List.of(root.child("a"), root.child("b c"), root.child("missing")));
    assertThat(paths(store.walk(root))).containsExactly("d");
  }

  @Test
  void letsOneOfManyCreateAFile() throws Exception {
    assumeThat(store.traits(root).exclusiveCreate()).isTrue();
    for (int round = 0; round < 3; round++) {
      Location file = root.child("race " + round);
      AtomicInteger winners = new AtomicInteger();
      CyclicBarrier start = new CyclicBarrier(8);
      List<Callable<Void>> writers = new ArrayList<>();
      for (int writer = 0; writer < 8; writer++) {
        String text = "writer " + writer;
        writers.add(
            () -> {
              start.await();
              try {
                write(file, text);
                winners.incrementAndGet();
              } catch (FileAlreadyExistsException lost) {
                assertThat(lost).isNotNull();
              }
              return null;
            });
      }
      ExecutorService threads = Executors.newFixedThreadPool(8);
      try {
        for (Future<Void> done : threads.invokeAll(writers)) {
          done.get();
        }
      } finally {
        threads.shutdownNow();
      }
      assertThat(winners).hasValue(1);
      assertThat(read(file)).startsWith("writer ");
    }
  }
}
