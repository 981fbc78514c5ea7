package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads facts from the log of a Delta table: the listing by itself, everything else through Delta
 * Kernel. A log that Kernel refuses, because commits are missing from it, still gives its listing,
 * and its id where a commit file that is left names it.
 */
public final class DeltaTables {
  private static final Pattern LOG_FILE =
      Pattern.compile("([0-9]{20})\\.(json|checkpoint(?:\\..*)?\\.(?:parquet|json))");
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;

  public DeltaTables(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The id and the versions of a table.
   *
   * @throws NoSuchFileException if there is no Delta table
   */
  public DeltaFacts read(Location table) throws IOException {
    TreeSet<Long> commits = commits(table);
    long latest = commits.last();
    TreeSet<Long> missing = new TreeSet<>();
    for (long version = commits.first(); version < latest; version++) {
      if (!commits.contains(version)) {
        missing.add(version);
      }
    }
    return new DeltaFacts(
        tableId(table, commits), commits.first(), latest, new ArrayList<>(missing));
  }

  /**
   * The id and the versions of a table that a checkpoint knows by an id. If the table has another
   * one now, every commit is looked at for the ids that it had before: CREATE OR REPLACE changes
   * the id inside one continuous history.
   *
   * @throws NoSuchFileException if there is no Delta table
   */
  public DeltaFacts read(Location table, String knownId) throws IOException {
    DeltaFacts facts = read(table);
    if (facts.tableId().isEmpty() || facts.tableId().get().equals(knownId)) {
      return facts;
    }
    Map<String, Long> former = new HashMap<>();
    Optional<String> current = Optional.empty();
    for (long version : commits(table)) {
      Optional<String> id = idInCommit(table, version);
      if (id.isPresent()) {
        if (current.isPresent() && !id.equals(current)) {
          former.put(current.get(), version);
        }
        current = id;
      }
    }
    return new DeltaFacts(
        facts.tableId(),
        facts.earliest(),
        facts.latest(),
        facts.missing(),
        former,
        facts.backlog());
  }

  /**
   * What a reader that stands at a version has still to read. Every commit from there on is read,
   * and every data file that it adds is looked for.
   *
   * @param facts what {@link #read} said of the table
   * @param from the first version that is not read whole
   * @param filesDone how many of the files that it adds are read
   * @throws IOException if a commit file cannot be read
   */
  public DeltaBacklog backlog(Location table, DeltaFacts facts, long from, long filesDone)
      throws IOException {
    DeltaCommits commits = new DeltaCommits(store, table);
    return commits.backlog(
        from, filesDone, facts.latest(), commits.schemaBefore(from, facts.earliest()));
  }

  /**
   * The last batch that a streaming query wrote into the table, by the table's own record.
   *
   * @param applicationId the query's id, or a {@code txnAppId}
   * @return empty if the table has no record of it
   * @throws NoSuchFileException if there is no Delta table
   */
  public OptionalLong lastTransaction(Location table, String applicationId) throws IOException {
    commits(table);
    try {
      return new KernelSnapshots(store)
          .lastTransaction(table, applicationId)
          .orElseThrow(() -> notATable(table));
    } catch (RuntimeException failure) {
      // Kernel has several families of exceptions without a common parent.
      throw new IOException(
          "the log of the Delta table " + table + " cannot be read: " + failure.getMessage(),
          failure);
    }
  }

  /**
   * The application ids of the transactions in the newest commits: queries that write into the
   * table.
   *
   * @param newest how many commits are read, from the newest backwards; fewer where there are fewer
   * @throws NoSuchFileException if there is no Delta table
   * @throws IOException if a commit file cannot be read
   */
  public Set<String> recentWriters(Location table, int newest) throws IOException {
    Set<String> writers = new TreeSet<>();
    for (long version : commits(table).descendingSet().stream().limit(newest).toList()) {
      Location file =
          table.child("_delta_log").child(String.format(Locale.ROOT, "%020d.json", version));
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(store.open(file), StandardCharsets.UTF_8))) {
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.contains("\"txn\"")) {
            String writer = MAPPER.readTree(line).path("txn").path("appId").asText("");
            if (!writer.isEmpty()) {
              writers.add(writer);
            }
          }
        }
      }
    }
    return writers;
  }

  private TreeSet<Long> commits(Location table) throws IOException {
    TreeSet<Long> versions = new TreeSet<>();
    long newestCheckpoint = -1;
    List<StoreEntry> entries;
    try {
      entries = store.list(table.child("_delta_log"));
    } catch (NoSuchFileException | NotDirectoryException noLog) {
      throw notATable(table);
    }
    for (StoreEntry entry : entries) {
      Matcher matcher = LOG_FILE.matcher(entry.location().name());
      if (entry.isFile() && matcher.matches()) {
        long version = Long.parseLong(matcher.group(1));
        if (matcher.group(2).equals("json")) {
          versions.add(version);
        } else {
          newestCheckpoint = Math.max(newestCheckpoint, version);
        }
      }
    }
    if (versions.isEmpty()) {
      throw newestCheckpoint < 0
          ? notATable(table)
          : new IOException(
              "the log of the Delta table " + table + " has checkpoints but no commit file");
    }
    return versions;
  }

  private static NoSuchFileException notATable(Location table) {
    return new NoSuchFileException(table.toString(), null, "no Delta table: it has no _delta_log");
  }

  private Optional<String> tableId(Location table, TreeSet<Long> commits) throws IOException {
    try {
      return Optional.of(
          new KernelSnapshots(store).tableId(table).orElseThrow(() -> notATable(table)));
    } catch (RuntimeException refused) {
      for (long version : commits.descendingSet()) {
        Optional<String> id = idInCommit(table, version);
        if (id.isPresent()) {
          return id;
        }
      }
      return Optional.empty();
    }
  }

  private Optional<String> idInCommit(Location table, long version) throws IOException {
    Location file =
        table.child("_delta_log").child(String.format(Locale.ROOT, "%020d.json", version));
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(store.open(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (line.contains("\"metaData\"")) {
          JsonNode id = MAPPER.readTree(line).path("metaData").path("id");
          if (id.isTextual()) {
            return Optional.of(id.asText());
          }
        }
      }
    } catch (com.fasterxml.jackson.core.JsonProcessingException damaged) {
      return Optional.empty();
    }
    return Optional.empty();
  }
}
