package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.S3Server;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Disks that are full or read-only, and a server that dies: real ones, not doubles. */
class RealFaultsTest {
  private static final Path FIXTURE =
      Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint");

  @TempDir(factory = TempDirFactory.Standard.class)
  private Path directory;

  private final List<Path> mounts = new ArrayList<>();
  private Console console;
  private Path place;

  @BeforeEach
  void copyTheCheckpoint() throws IOException {
    console = new Console(directory);
    Trees.copy(FIXTURE, directory.resolve("old"));
    place = Files.createDirectories(directory.resolve("place"));
  }

  @AfterEach
  void unmount() throws Exception {
    for (Path mount : mounts) {
      command("umount", mount.toString());
    }
  }

  @Test
  void aFullDiskIsSaidAndTheRerunGoesOn() throws Exception {
    mount("-t", "tmpfs", "-o", "size=128k", "tmpfs", place.toString());
    plan("place/new", "");
    final Map<String, String> old = Trees.bytesAndTimes(directory.resolve("old"));

    assertThat(apply()).as(console.printed()).isEqualTo(5);
    assertThat(printed()).contains("no space left on the device", place.toString(), "run it again");
    assertThat(place.resolve("new")).doesNotExist();

    command("mount", "-o", "remount,size=16m", place.toString());
    assertThat(apply()).as(console.printed()).isZero();
    assertSame(old, "place/new");
  }

  @Test
  void aFullDiskOfTheJournalIsSaidAndTheRerunGoesOn() throws Exception {
    mount("-t", "tmpfs", "-o", "size=12k", "tmpfs", place.toString());
    plan("new", "journal: place/ops");
    final Map<String, String> old = Trees.bytesAndTimes(directory.resolve("old"));

    assertThat(apply()).as(console.printed()).isEqualTo(5);
    assertThat(printed()).contains("no space left on the device", place.toString(), "run it again");

    command("mount", "-o", "remount,size=16m", place.toString());
    assertThat(apply()).as(console.printed()).isZero();
    assertSame(old, "new");
  }

  @Test
  void aReadOnlyPlaceIsSaidAndTheRerunGoesOn() throws Exception {
    boolean root = "root".equals(System.getProperty("user.name"));
    if (root) {
      mount("--bind", place.toString(), place.toString());
      command("mount", "-o", "remount,ro,bind", place.toString());
    } else {
      assertThat(place.toFile().setWritable(false)).isTrue();
    }
    plan("place/new", "");
    final Map<String, String> old = Trees.bytesAndTimes(directory.resolve("old"));

    assertThat(apply()).as(console.printed()).isEqualTo(5);
    assertThat(printed())
        .contains(root ? "read-only" : "no permission", place.toString(), "run it again");
    assertThat(place).isEmptyDirectory();

    if (root) {
      command("mount", "-o", "remount,rw,bind", place.toString());
    } else {
      assertThat(place.toFile().setWritable(true)).isTrue();
    }
    assertThat(apply()).as(console.printed()).isZero();
    assertSame(old, "place/new");
  }

  /** Its retries take half a minute. */
  @Test
  @EnabledIfSystemProperty(named = "faults", matches = "all")
  void aServerThatDiesIsSaidAndTheRerunGoesOn() throws Exception {
    S3Server server = S3Server.keeping(Files.createDirectories(directory.resolve("server")));
    try {
      Location bucket = server.newBucket();
      Store store = server.stores(bucket);
      for (Map.Entry<String, byte[]> file : files(directory.resolve("old")).entrySet()) {
        store.write(
            bucket.child("old/" + file.getKey()), Content.of(file.getValue()), Optional.empty());
      }
      final Map<String, String> old = content(store, bucket.child("old"));
      Files.writeString(
          directory.resolve("plan.yaml"),
          """
          version: 1
          name: p
          streams:
            - {name: s, strategy: relocate, copy: all, checkpoint: {from: "%1$s/old", to: "%1$s/new"}}
          """
              .formatted(bucket));

      Store dying = dyingAt(40, server, bucket.child("new"), store);
      assertThat(console.run(dying, "apply", "plan.yaml")).as(console.printed()).isEqualTo(5);
      assertThat(printed())
          .contains("s3a://", "apply the plan again", "127.0.0.1")
          .doesNotContain("SECRETTEST", "\tat ");
      server.restart();
      assertThat(content(store, bucket.child("new"))).isNotEmpty().hasSizeLessThan(old.size());
      assertThat(store.stat(bucket.child("new/offsets/" + beforeNewest(old)))).isEmpty();

      assertThat(console.run(store, "apply", "plan.yaml")).as(console.printed()).isZero();
      assertThat(content(store, bucket.child("new"))).isEqualTo(old);
      assertThat(content(store, bucket.child("old"))).isEqualTo(old);
    } finally {
      server.kill();
    }
  }

  private static Store dyingAt(int file, S3Server server, Location below, Store store) {
    AtomicInteger files = new AtomicInteger();
    return new ForwardingStore(store) {
      @Override
      public Receipt write(Location to, Content content, Optional<Instant> modified)
          throws IOException {
        count(to);
        return super.write(to, content, modified);
      }

      @Override
      public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
          throws IOException {
        count(to);
        return super.copyWithin(from, to, modified);
      }

      private void count(Location to) {
        if (to.isInside(below) && files.incrementAndGet() == file) {
          server.kill();
        }
      }
    };
  }

  private static long beforeNewest(Map<String, String> checkpoint) {
    return checkpoint.keySet().stream()
            .filter(path -> path.matches("offsets/[0-9]+"))
            .mapToLong(path -> Long.parseLong(path.substring("offsets/".length())))
            .max()
            .orElseThrow()
        - 1;
  }

  private static Map<String, String> content(Store store, Location root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    for (StoreEntry entry : store.walk(root)) {
      if (entry.isFile()) {
        files.put(
            entry.location().relativeTo(root),
            java.util.HexFormat.of().formatHex(store.readAll(entry.location())));
      }
    }
    return files;
  }

  private static Map<String, byte[]> files(Path root) throws IOException {
    Map<String, byte[]> files = new TreeMap<>();
    try (var paths = Files.walk(root)) {
      for (Path path : paths.filter(Files::isRegularFile).toList()) {
        files.put(root.relativize(path).toString(), Files.readAllBytes(path));
      }
    }
    return files;
  }

  private void plan(String to, String more) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        %s
        streams:
          - {name: s, strategy: relocate, copy: all, checkpoint: {from: old, to: %s}}
        """
            .formatted(more, to));
  }

  private int apply() {
    return console.run("apply", "plan.yaml");
  }

  /** What was printed, on one line. */
  private String printed() {
    return console.printed().replaceAll("\\s+", " ");
  }

  private void assertSame(Map<String, String> old, String target) throws IOException {
    assertThat(Trees.bytesAndTimes(directory.resolve("old"))).isEqualTo(old);
    assertThat(Trees.bytesAndTimes(directory.resolve(target))).isEqualTo(old);
  }

  /** Mounts something; without the right to, the test is skipped, and says so. */
  private void mount(String... arguments) throws Exception {
    List<String> line = new ArrayList<>(List.of("mount"));
    line.addAll(List.of(arguments));
    boolean mounted = run(line);
    if (!mounted) {
      System.err.println("SKIPPED: no right to mount file systems, which a full disk needs");
    }
    assumeThat(mounted).isTrue();
    mounts.add(place);
  }

  private static void command(String... line) throws Exception {
    assertThat(run(List.of(line))).as(String.join(" ", line)).isTrue();
  }

  private static boolean run(List<String> line) throws Exception {
    try {
      Process process =
          new ProcessBuilder(line)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0;
    } catch (IOException notThere) {
      return false;
    }
  }
}
