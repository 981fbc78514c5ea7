package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Finds in a Delta table's commits where the records of event times from some instant on begin.
 *
 * <p>Statistics are those of Delta's protocol (PROTOCOL.md, "Per-file Statistics"): {@code
 * maxValues} by physical column name, timestamps cut to milliseconds, so that a file's newest event
 * may be up to a millisecond later than it says.
 */
public final class DeltaReaches {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;
  private final Location table;
  private final KernelSnapshots snapshots;
  private final Optional<KernelSnapshots.Column> found;
  private final Optional<List<String>> column;

  /**
   * Prepares the search.
   *
   * @param table where the table is
   * @param eventTime the column of the event time, fields of structs by dots; an expression, or a
   *     column that the table does not have, has no statistics
   * @throws IOException if the table cannot be read
   */
  public DeltaReaches(Store store, Location table, String eventTime) throws IOException {
    this.store = requireNonNull(store, "store");
    this.table = requireNonNull(table, "table");
    try {
      this.snapshots = new KernelSnapshots(store);
      this.found = snapshots.column(table, requireNonNull(eventTime, "eventTime"));
      this.column =
          found.filter(KernelSnapshots.Column::isTimestamp).map(KernelSnapshots.Column::physical);
    } catch (RuntimeException failure) {
      // Kernel has several families of exceptions without a common parent.
      throw unreadable(failure);
    }
  }

  /** The type of the column of the event time; empty if the table has no such column. */
  public Optional<String> type() {
    return found.map(known -> known.type().toString());
  }

  /** Whether files can tell of the column how far they reach. */
  public boolean hasStatistics() {
    return column.isPresent();
  }

  /**
   * Reads the commits of a range of versions.
   *
   * @param from the first version
   * @param to the last version that is looked at
   * @param filesOfLast how many of the files that the last version adds belong to the range
   * @param earliest the instant
   * @throws IOException if a commit cannot be read
   */
  public DeltaReach find(long from, long to, long filesOfLast, Instant earliest)
      throws IOException {
    TreeMap<Long, Commit> commits = new TreeMap<>();
    for (long version = from; version <= to; version++) {
      commits.put(version, commit(version, version == to ? filesOfLast : Long.MAX_VALUE, earliest));
    }
    Optional<Long> first =
        commits.entrySet().stream()
            .filter(commit -> commit.getValue().reaching.isPresent())
            .map(java.util.Map.Entry::getKey)
            .findFirst();
    SortedMap<Long, Commit> read =
        first.isEmpty() ? new TreeMap<>() : commits.tailMap(first.get(), true);
    SortedMap<Long, List<String>> vacuumed = new TreeMap<>();
    TreeSet<Long> rewriting = new TreeSet<>();
    for (java.util.Map.Entry<Long, Commit> entry : read.entrySet()) {
      if (entry.getValue().isRewriting) {
        rewriting.add(entry.getKey());
      }
      List<String> gone = gone(entry.getValue().paths);
      if (!gone.isEmpty()) {
        vacuumed.put(entry.getKey(), gone);
      }
    }
    return new DeltaReach(
        first.map(OptionalLong::of).orElse(OptionalLong.empty()),
        first.flatMap(version -> commits.get(version).reaching),
        first.isPresent() && commits.get(first.get()).isReachingKnown,
        first.isPresent() ? commits.get(first.get()).committedMs : OptionalLong.empty(),
        read.values().stream().mapToLong(commit -> commit.paths.size()).sum(),
        read.values().stream().mapToLong(commit -> commit.bytes).sum(),
        sum(read.values().stream().map(commit -> commit.records).toList()),
        sum(read.values().stream().map(commit -> commit.needed).toList()),
        read.values().stream().mapToLong(commit -> commit.unknown).sum(),
        rewriting,
        vacuumed);
  }

  /**
   * The files that were in the table at its earliest version that is left, were added before it,
   * and may hold a record of an event time from an instant on; what was removed earlier is not
   * known.
   *
   * @param version the earliest version whose commit is left
   * @throws IOException if the table cannot be read at that version
   */
  public List<String> before(long version, Instant earliest) throws IOException {
    TreeSet<String> added = new TreeSet<>();
    for (String path : commit(version, Long.MAX_VALUE, earliest).paths) {
      added.add(name(path));
    }
    try {
      return snapshots.filesReaching(table, version, column, earliest).stream()
          .filter(path -> !added.contains(name(path)))
          .toList();
    } catch (RuntimeException failure) {
      throw unreadable(failure);
    }
  }

  /**
   * The files of a version of a table.
   *
   * @param files how many there are
   * @param gone the first that does not exist any more; empty if all do
   */
  public record Snapshot(long files, Optional<String> gone) {}

  /**
   * Looks for the files that a version of a table consists of.
   *
   * @throws IOException if the table cannot be read at that version
   */
  public static Snapshot snapshot(Store store, Location table, long version) throws IOException {
    List<String> paths;
    try {
      paths =
          new KernelSnapshots(store)
              .filesReaching(table, version, Optional.empty(), Instant.MIN.plusSeconds(1));
    } catch (RuntimeException failure) {
      // Kernel has several families of exceptions without a common parent.
      throw new IOException(failure.getMessage(), failure);
    }
    for (String path : paths) {
      Optional<Location> place = DeltaCommits.place(table, path);
      if (place.isPresent() && store.stat(place.get()).filter(StoreEntry::isFile).isEmpty()) {
        return new Snapshot(paths.size(), Optional.of(path));
      }
    }
    return new Snapshot(paths.size(), Optional.empty());
  }

  private IOException unreadable(RuntimeException failure) {
    return new IOException(
        "the log of the Delta table "
            + table
            + " cannot be read: "
            + String.valueOf(failure.getMessage()).lines().findFirst().orElse(""),
        failure);
  }

  private static String name(String path) {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** What a commit adds. */
  private static final class Commit {
    private final List<String> paths = new ArrayList<>();
    private long bytes;
    private long unknown;
    private OptionalLong records = OptionalLong.of(0);
    private OptionalLong needed = OptionalLong.of(0);
    private Optional<String> reaching = Optional.empty();
    private boolean isReachingKnown;
    private boolean isRewriting;
    private OptionalLong committedMs = OptionalLong.empty();
  }

  private Commit commit(long version, long filesWanted, Instant earliest) throws IOException {
    Commit commit = new Commit();
    Location file =
        table.child("_delta_log").child(String.format(Locale.ROOT, "%020d.json", version));
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(store.open(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode action = MAPPER.readTree(line);
        JsonNode add = action.path("add");
        JsonNode remove = action.path("remove");
        if (!action.isObject() && !line.isBlank()) {
          throw new IOException(file + " is damaged: it holds a line that is no action");
        } else if (add.isObject()) {
          if (add.path("dataChange").asBoolean(true) && commit.paths.size() < filesWanted) {
            add(commit, add, earliest);
          }
        } else if (remove.isObject()) {
          commit.isRewriting |= remove.path("dataChange").asBoolean(true);
        } else if (action.has("commitInfo")) {
          commit.committedMs = Json.exactLong(action.path("commitInfo").get("timestamp"));
        } else if (action.has("cdc") && commit.reaching.isEmpty()) {
          // Files of the change feed have no statistics.
          commit.reaching = Optional.of(action.path("cdc").path("path").asText());
        }
      }
    } catch (JsonProcessingException damaged) {
      throw new IOException(file + " is damaged: " + damaged.getOriginalMessage(), damaged);
    }
    return commit;
  }

  private void add(Commit commit, JsonNode add, Instant earliest) {
    String path = add.path("path").asText();
    commit.paths.add(path);
    commit.bytes += add.path("size").asLong();
    FileStatistics statistics = FileStatistics.parse(add.path("stats").asText(""), column);
    commit.records = plus(commit.records, statistics.records());
    if (statistics.newest().isEmpty()) {
      commit.unknown++;
    }
    if (statistics.mayReach(earliest)) {
      commit.needed = plus(commit.needed, statistics.records());
      if (commit.reaching.isEmpty()) {
        commit.reaching = Optional.of(path);
        commit.isReachingKnown = statistics.newest().isPresent();
      }
    }
  }

  private List<String> gone(List<String> paths) throws IOException {
    List<String> gone = new ArrayList<>();
    for (String path : paths) {
      Optional<Location> place = DeltaCommits.place(table, path);
      if (place.isPresent() && store.stat(place.get()).filter(StoreEntry::isFile).isEmpty()) {
        gone.add(path);
      }
    }
    return gone;
  }

  private static OptionalLong sum(List<OptionalLong> numbers) {
    OptionalLong sum = OptionalLong.of(0);
    for (OptionalLong number : numbers) {
      sum = plus(sum, number);
    }
    return sum;
  }

  private static OptionalLong plus(OptionalLong one, OptionalLong other) {
    return one.isPresent() && other.isPresent()
        ? OptionalLong.of(one.getAsLong() + other.getAsLong())
        : OptionalLong.empty();
  }
}
