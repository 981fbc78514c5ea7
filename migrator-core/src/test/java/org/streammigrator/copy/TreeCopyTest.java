package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.ThrottledException;

class TreeCopyTest {
  private static final Instant TIME = Instant.parse("2024-03-01T10:20:30.123456Z");
  private static final Location BUCKET = Location.parse("s3a://bucket/q", Path.of("/"));

  @TempDir Path directory;

  private record Source(StoreEntry entry, String path, Optional<CopySource> checksumOf)
      implements CopySource {
    @Override
    public long size() {
      return entry.size();
    }

    @Override
    public Instant modified() {
      return entry.modified();
    }

    @Override
    public Optional<StoreEntry> stored() {
      return Optional.of(entry);
    }

    @Override
    public Content content(Store store) {
      return out -> {
        try (InputStream in = store.open(entry.location())) {
          in.transferTo(out);
        }
      };
    }
  }

  @Test
  void theSlowerEndSaysHowManyFilesAreOnTheirWay() {
    Location disk = Location.of(directory);
    CopyOptions options = CopyOptions.DEFAULT;
    for (Location from : List.of(disk, BUCKET)) {
      StoreEntry entry = new StoreEntry(from.child("f"), StoreEntry.Kind.FILE, 1, TIME);
      List<Source> sources = java.util.Collections.nCopies(500, new Source(entry, "f", none()));
      assertThat(options.threadsFor(BUCKET, sources)).isEqualTo(32);
      assertThat(options.threadsFor(disk, sources)).isEqualTo(options.threadsFor(from, 500));
      assertThat(options.withThreads(3).threadsFor(disk, sources)).isEqualTo(3);
    }
    assertThat(options.threadsFor(BUCKET, 500)).isGreaterThan(options.threadsFor(disk, 500));
    assertThat(options.threadsFor(disk, List.of())).isEqualTo(1);
  }

  private static Optional<CopySource> none() {
    return Optional.empty();
  }

  /** Counts what is read. */
  private static class Watching extends ForwardingStore {
    private final Map<String, AtomicInteger> reads = new ConcurrentHashMap<>();

    private Watching(Store store) {
      super(store);
    }

    private int reads(Location file) {
      return reads.getOrDefault(file.path(), new AtomicInteger()).get();
    }

    private void count(Location file) {
      reads.computeIfAbsent(file.path(), path -> new AtomicInteger()).incrementAndGet();
    }

    @Override
    public InputStream open(Location file) throws IOException {
      count(file);
      return super.open(file);
    }

    @Override
    public byte[] readAll(Location file) throws IOException {
      count(file);
      return super.readAll(file);
    }
  }

  private Location old() {
    return Location.of(directory.resolve("old"));
  }

  private Location place() {
    return Location.of(directory.resolve("new"));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, Transfer.SMALL, Transfer.SMALL + 1})
  void readsAFileAndItsChecksumOnce(int size) throws IOException {
    byte[] bytes = "x".repeat(size).getBytes(UTF_8);
    put(new LocalStore(), old().child("7"), bytes);
    put(new LocalStore(), old().child(".7.crc"), HadoopCrc.of(bytes));
    put(new LocalStore(), old().child("8"), bytes);
    byte[] wrong = HadoopCrc.of(bytes);
    wrong[wrong.length - 1]++;
    put(new LocalStore(), old().child(".8.crc"), wrong);
    Watching store = new Watching(new LocalStore());
    TreeCopy copy = copy(store, place(), CopyOptions.DEFAULT);
    List<ManifestFile> lines = copy.copy(sources(store, old()), Map.of());
    assertThat(lines.stream().map(ManifestFile::path))
        .containsExactlyInAnyOrder("7", ".7.crc", "8");
    assertThat(copy.leftOut()).containsExactly(".8.crc");
    for (String name : List.of("7", ".7.crc", "8", ".8.crc")) {
      assertThat(store.reads(old().child(name))).as(name).isEqualTo(1);
    }
    assertThat(there(store, place()).keySet()).containsExactlyInAnyOrder("7", ".7.crc", "8");
    assertThat(copy.verify(manifest(lines)).ok()).isTrue();
  }

  @Test
  void removesAChecksumThatIsAtTheTargetAndWrong() throws IOException {
    Store store = new LocalStore();
    for (Location at : List.of(old(), place())) {
      put(store, at.child("7"), "text".getBytes(UTF_8));
      put(store, at.child(".7.crc"), HadoopCrc.of("other".getBytes(UTF_8)));
    }
    copy(store, place(), CopyOptions.DEFAULT).copy(sources(store, old()), there(store, place()));
    assertThat(there(store, place()).keySet()).containsExactly("7");
  }

  @Test
  void keepsWhatIsRecordedWithoutReadingIt() throws IOException {
    Store plain = new LocalStore();
    for (int i = 0; i < 20; i++) {
      byte[] bytes = ("state " + i).getBytes(UTF_8);
      put(plain, old().child("state/" + i), bytes);
      put(plain, old().child("state/." + i + ".crc"), HadoopCrc.of(bytes));
    }
    assertThat(copy(plain, place(), CopyOptions.DEFAULT).copyAhead(sources(plain, old()), Map.of()))
        .hasSize(40);
    plain.delete(old().child("state/3"));
    byte[] longer = "STATE 3 IS LONGER NOW".getBytes(UTF_8);
    put(plain, old().child("state/3"), longer);

    Watching store = new Watching(plain);
    TreeCopy again = copy(store, place(), CopyOptions.DEFAULT);
    List<ManifestFile> lines = again.copy(sources(store, old()), there(store, place()));
    assertThat(again.verify(manifest(lines)).ok()).isTrue();
    assertThat(again.leftOut()).containsExactly("state/.3.crc");
    for (int i = 0; i < 20; i++) {
      int once = i == 3 ? 1 : 0;
      assertThat(store.reads(old().child("state/" + i))).as("old %s", i).isEqualTo(once);
      assertThat(store.reads(place().child("state/" + i))).as("new %s", i).isEqualTo(once);
    }
    assertThat(plain.readAll(place().child("state/3"))).isEqualTo(longer);
  }

  @Test
  void passesOverWhatGoesAwayWhileItCopiesAhead() throws IOException {
    Store store = new LocalStore();
    put(store, old().child("1"), new byte[10]);
    put(store, old().child("2"), new byte[10]);
    put(store, old().child("3"), new byte[Transfer.SMALL + 5]);
    List<Source> sources = sources(store, old());
    store.delete(old().child("2"));
    store.delete(old().child("3"));
    put(store, old().child("3"), new byte[Transfer.SMALL + 4]);
    List<ManifestFile> ahead =
        copy(store, place(), CopyOptions.DEFAULT).copyAhead(sources, Map.of());
    assertThat(ahead.stream().map(ManifestFile::path)).containsExactly("1");
    TreeCopy copy = copy(store, place(), CopyOptions.DEFAULT);
    List<ManifestFile> lines = copy.copy(sources(store, old()), there(store, place()));
    assertThat(lines.stream().map(ManifestFile::size)).containsExactly(10L, Transfer.SMALL + 4L);
    assertThat(copy.verify(manifest(lines)).ok()).isTrue();
  }

  @ParameterizedTest
  @EnumSource(CopyOptions.Verify.class)
  void readsEverythingBackWhereThatIsAskedFor(CopyOptions.Verify proof) throws IOException {
    Watching store =
        new Watching(new MemoryObjectStore()) {
          @Override
          public Receipt write(Location file, Content content, Optional<Instant> modified)
              throws IOException {
            return new Receipt(super.write(file, content, modified).tag(), true);
          }

          @Override
          public Optional<Receipt> copyWithin(
              StoreEntry from, Location to, Optional<Instant> modified) {
            return Optional.empty();
          }
        };
    put(store, BUCKET.child("old/1"), new byte[10]);
    TreeCopy copy = copy(store, BUCKET.child("new"), CopyOptions.DEFAULT.verifiedBy(proof));
    List<ManifestFile> lines = copy.copy(sources(store, BUCKET.child("old")), Map.of());
    assertThat(copy.verify(manifest(lines)).ok()).isTrue();
    assertThat(store.reads(BUCKET.child("new/1")))
        .isEqualTo(proof == CopyOptions.Verify.READ ? 1 : 0);
  }

  @Test
  void triesAgainAfterAPassingFailure() throws IOException {
    AtomicInteger failures = new AtomicInteger();
    Store store =
        new ForwardingStore(new MemoryObjectStore()) {
          @Override
          public Optional<Receipt> copyWithin(
              StoreEntry from, Location to, Optional<Instant> modified) throws IOException {
            if (failures.getAndDecrement() > 0) {
              throw new ThrottledException("slow down", Optional.of(Duration.ofMillis(30)));
            }
            return super.copyWithin(from, to, modified);
          }
        };
    put(store, BUCKET.child("old/1"), new byte[10]);
    List<Source> sources = sources(store, BUCKET.child("old"));
    failures.set(1);
    assertThat(
            copy(store, BUCKET.child("new"), CopyOptions.DEFAULT.withAttempts(2))
                .copy(sources, Map.of()))
        .hasSize(1);
    failures.set(2);
    assertThatThrownBy(
            () ->
                copy(store, BUCKET.child("again"), CopyOptions.DEFAULT.withAttempts(2))
                    .copy(sources, Map.of()))
        .isInstanceOf(ThrottledException.class);
  }

  @Test
  void waitsAsLongAsTheStoreAsksAndAllThreadsDo() throws IOException {
    List<Long> slept = new ArrayList<>();
    CopyLimits limits = new CopyLimits(CopyOptions.DEFAULT, () -> 0, slept::add);
    limits.request();
    assertThat(slept).isEmpty();
    Attempts attempts = new Attempts(3, limits);
    IOException slow = new ThrottledException("slow down", Optional.of(Duration.ofSeconds(7)));
    assertThat(attempts.another(1, slow)).isTrue();
    limits.request();
    assertThat(slept).containsExactly(7_000_000_000L, 7_000_000_000L);
    assertThat(attempts.another(3, slow)).isFalse();
    assertThat(attempts.another(1, new SourceChangedException("changed"))).isFalse();
    slept.clear();
    assertThat(attempts.another(2, new IOException("reset"))).isTrue();
    assertThat(slept.get(0)).isBetween(200_000_000L, 400_000_000L);
  }

  @Test
  void holdsToItsLimits() throws IOException {
    List<Long> slept = new ArrayList<>();
    CopyOptions options = CopyOptions.DEFAULT.withRequestsPerSecond(4).withBandwidth(1000);
    CopyLimits limits = new CopyLimits(options, () -> 0, slept::add);
    limits.request();
    limits.request();
    limits.request();
    assertThat(slept).containsExactly(250_000_000L, 500_000_000L);
    slept.clear();
    limits.bytes(100);
    limits.bytes(2000);
    assertThat(slept).containsExactly(100_000_000L, 2_100_000_000L);
  }

  private static TreeCopy copy(Store store, Location place, CopyOptions options)
      throws IOException {
    return new TreeCopy(
        store, place, place, options.withThreads(2), CopyProgress.NONE, Optional.empty());
  }

  private static List<Source> sources(Store store, Location place) throws IOException {
    Map<String, StoreEntry> files = there(store, place);
    List<Source> sources = new ArrayList<>();
    files.forEach(
        (path, entry) -> {
          boolean checksum = HadoopCrc.isName(entry.location().name());
          String guarded = checksum ? HadoopCrc.guarded(path) : "";
          sources.add(
              new Source(
                  entry,
                  path,
                  Optional.ofNullable(files.get(guarded))
                      .map(file -> new Source(file, guarded, Optional.empty()))));
        });
    return sources;
  }

  private static Map<String, StoreEntry> there(Store store, Location place) throws IOException {
    Map<String, StoreEntry> there = new TreeMap<>();
    for (StoreEntry entry : store.walk(place)) {
      if (entry.isFile()) {
        there.put(entry.location().relativeTo(place), entry);
      }
    }
    return there;
  }

  private static Manifest manifest(List<ManifestFile> lines) {
    return new Manifest("1", "file:/x", CheckpointSummary.unknown(), lines, List.of());
  }

  private static void put(Store store, Location file, byte[] bytes) throws IOException {
    store.write(file, Content.of(bytes), Optional.of(TIME));
  }
}
