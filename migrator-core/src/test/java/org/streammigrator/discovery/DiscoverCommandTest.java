package org.streammigrator.discovery;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

class DiscoverCommandTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Instant NOW = Instant.parse("2026-03-27T10:00:00Z");
  private static final String HEADER =
      "{\"batchWatermarkMs\":0,\"batchTimestampMs\":1700000000000,\"conf\":{}}";

  @TempDir private Path directory;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void makeLake() throws IOException {
    checkpoint("lake/orders/_checkpoint", 3, NOW.minusSeconds(10));
    checkpoint("lake/clicks", 2, NOW.minusSeconds(3 * 86_400));
    checkpoint("lake/clicks/v2", 2, NOW.minusSeconds(9 * 86_400));
    checkpoint("lake/clicks-v2", 2, NOW.plusSeconds(60));
    checkpoint("lake/odd: \"name\" # é", 2, NOW.minusSeconds(40));
    checkpoint("lake/broken", 2, NOW.minusSeconds(40));
    Files.write(directory.resolve("lake/broken/offsets/1"), new byte[0]);
  }

  private void checkpoint(String path, int batches, Instant lastCommit) throws IOException {
    Path root = directory.resolve(path);
    Files.createDirectories(root.resolve("offsets"));
    Files.createDirectories(root.resolve("commits"));
    Files.writeString(
        root.resolve("metadata"),
        "{\"id\":\"" + UUID.nameUUIDFromBytes(path.getBytes(UTF_8)) + "\"}");
    for (int batch = 0; batch < batches; batch++) {
      Files.writeString(
          root.resolve("offsets/" + batch),
          "v1\n" + HEADER + "\n{\"offset\":" + batch + ",\"timestamp\":3000}");
      Path commit = root.resolve("commits/" + batch);
      Files.writeString(commit, "v1\n{\"nextBatchWatermarkMs\":0}");
      Files.setLastModifiedTime(
          commit, FileTime.from(lastCommit.minusSeconds(batches - 1 - batch)));
    }
  }

  private int run(Store store, String... args) {
    out.reset();
    err.reset();
    return Cli.run(
        List.of(args),
        new PrintStream(out, true, UTF_8),
        new PrintStream(err, true, UTF_8),
        CliContext.ofProcess()
            .withDirectory(directory)
            .withStore(store)
            .withClock(Clock.fixed(NOW, ZoneOffset.UTC)));
  }

  private JsonNode discover(String... more) throws IOException {
    String[] args =
        Stream.concat(Stream.of("discover", "lake", "-o", "json"), Stream.of(more))
            .toArray(String[]::new);
    assertThat(run(new ReadOnlyStore(new LocalStore()), args)).as(err.toString(UTF_8)).isZero();
    return MAPPER.readTree(out.toString(UTF_8));
  }

  private static List<String> paths(JsonNode result) {
    return result.get("checkpoints").findValuesAsText("relative");
  }

  @Test
  void agesAreCountedFromTheNewestCommitFile() throws IOException {
    JsonNode found = discover("--sort", "age");
    assertThat(paths(found))
        .containsExactly(
            "clicks/v2",
            "clicks",
            "broken",
            "odd: \"name\" # é",
            "orders/_checkpoint",
            "clicks-v2");
    JsonNode orders = found.get("checkpoints").get(4);
    assertThat(orders.get("ageMs").asLong()).isEqualTo(10_000);
    assertThat(orders.get("lastCommitMs").asLong()).isEqualTo(NOW.minusSeconds(10).toEpochMilli());
    assertThat(found.get("checkpoints").get(5).get("ageMs").asLong()).isZero();
    assertThat(paths(discover("--older-than", "7d"))).containsExactly("clicks/v2");
    assertThat(paths(discover("--older-than", "3d"))).containsExactly("clicks", "clicks/v2");
  }

  @Test
  void thePlanIsValidAndCanBePlanned() throws IOException {
    assertThat(
            run(new LocalStore(), "discover", "lake", "--write-plan", "fleet.yaml", "--to", "new"))
        .as(err.toString(UTF_8))
        .isZero();
    assertThat(err.toString(UTF_8)).contains("5 streams; 1 left out");
    String plan = Files.readString(directory.resolve("fleet.yaml"));
    assertThat(plan).contains("# left out: OFFSETS_EMPTY");

    assertThat(run(new ReadOnlyStore(new LocalStore()), "validate", "fleet.yaml")).isZero();
    assertThat(run(new ReadOnlyStore(new LocalStore()), "plan", "fleet.yaml", "-o", "json"))
        .as(out.toString(UTF_8) + err.toString(UTF_8))
        .isZero();
    JsonNode streams = MAPPER.readTree(out.toString(UTF_8)).get("streams");
    assertThat(streams.findValuesAsText("name"))
        .containsExactly("clicks", "clicks-v2", "clicks.v2", "odd: \"name\" # é", "orders");
    assertThat(plan)
        .contains("/new/orders/_checkpoint\"", "/new/clicks\"", "/new/clicks-v2\"")
        .contains("/new/clicks-v2-2\"");

    String before = plan;
    assertThat(run(new LocalStore(), "discover", "lake", "--write-plan", "fleet.yaml", "--to", "x"))
        .isEqualTo(2);
    assertThat(Files.readString(directory.resolve("fleet.yaml"))).isEqualTo(before);
  }

  @Test
  void aTargetInsideACheckpointWritesNoPlan() throws IOException {
    int exit =
        run(new LocalStore(), "discover", "lake", "--write-plan", "p.yaml", "--to", "lake/clicks");
    assertThat(exit).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("no plan was written");
    assertThat(directory.resolve("p.yaml")).doesNotExist();
  }

  @Test
  void nothingBelowAStateDirectoryIsListedOrRead() throws IOException {
    Path state = directory.resolve("lake/orders/_checkpoint/state/0/0");
    Files.createDirectories(state);
    Files.writeString(state.resolve("1.delta"), "x");
    Files.writeString(state.resolve("metadata"), "{\"id\":\"x\"}");
    Set<String> touched = new ConcurrentSkipListSet<>();
    run(new Watched(path -> touched.add(path)), "discover", "lake");
    assertThat(touched).isNotEmpty().noneMatch(path -> path.contains("/state"));
    assertThat(touched.stream().filter(path -> path.startsWith("open ")).count())
        .isLessThanOrEqualTo(6 * 7);
  }

  @Test
  void whatCannotBeListedIsAFindingAndTheRestGoesOn() throws IOException {
    Store store =
        new Watched(
            path -> {
              if (path.equals("list " + directory.resolve("lake/orders"))) {
                throw new AccessDeniedException(path);
              }
            });
    assertThat(run(store, "discover", "lake", "-o", "json")).isZero();
    JsonNode found = MAPPER.readTree(out.toString(UTF_8));
    assertThat(paths(found)).hasSize(5).doesNotContain("orders/_checkpoint");
    assertThat(found.get("findings").get(0).get("code").asText()).isEqualTo("UNREADABLE");
    assertThat(found.get("findings").get(0).get("message").asText()).contains("permission denied");
  }

  /** Told of every access, before it happens. */
  private interface Watcher {
    void access(String what) throws IOException;
  }

  private static final class Watched extends ForwardingStore {
    private final Watcher watcher;

    private Watched(Watcher watcher) {
      super(new ReadOnlyStore(new LocalStore()));
      this.watcher = watcher;
    }

    @Override
    public List<StoreEntry> list(Location place, Predicate<String> wanted) throws IOException {
      watcher.access("list " + place.path());
      return super.list(place, wanted);
    }

    @Override
    public List<StoreEntry> list(Location place) throws IOException {
      watcher.access("list " + place.path());
      return super.list(place);
    }

    @Override
    public List<StoreEntry> walk(Location place) throws IOException {
      watcher.access("walk " + place.path());
      return super.walk(place);
    }

    @Override
    public Optional<StoreEntry> stat(Location place) throws IOException {
      watcher.access("stat " + place.path());
      return super.stat(place);
    }

    @Override
    public byte[] readAll(Location file) throws IOException {
      watcher.access("open " + file.path());
      return super.readAll(file);
    }

    @Override
    public InputStream open(Location file) throws IOException {
      watcher.access("open " + file.path());
      return super.open(file);
    }
  }
}
