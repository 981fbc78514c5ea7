package org.streammigrator.discovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Which of the queries found read Delta tables that others of them write. A table that was found is
 * read by those in whose offsets its id stands, and written by those whose query id is in the
 * transactions of its newest commits. Only tables that somebody reads are asked for those.
 */
public final class TableFlow {
  /** A query that writes seldom has its last commit further back; it is not found then. */
  private static final int NEWEST_COMMITS = 50;

  private final Map<String, List<Upstream>> byReader;

  private TableFlow(Map<String, List<Upstream>> byReader) {
    this.byReader = byReader;
  }

  /**
   * Who writes what is read.
   *
   * @param writer the writer's checkpoint
   * @param table the table between both
   */
  record Upstream(DiscoveredCheckpoint writer, String table) {}

  /** Reads the tables that were found; one that cannot be read tells nothing. */
  public static TableFlow of(Store store, Discovery discovery) {
    Map<String, List<DiscoveredCheckpoint>> readers = new HashMap<>();
    Map<String, DiscoveredCheckpoint> queries = new LinkedHashMap<>();
    for (DiscoveredCheckpoint checkpoint : discovery.checkpoints()) {
      if (checkpoint.queryId() != null) {
        queries.putIfAbsent(checkpoint.queryId(), checkpoint);
      }
      for (DiscoveredCheckpoint.Source source : checkpoint.sources()) {
        String id =
            source.position() == null ? "" : source.position().path("reservoirId").asText("");
        if (!id.isEmpty()) {
          readers.computeIfAbsent(id, key -> new ArrayList<>()).add(checkpoint);
        }
      }
    }
    Map<String, List<Upstream>> byReader = new HashMap<>();
    if (readers.isEmpty()) {
      return new TableFlow(byReader);
    }
    DeltaTables tables = new DeltaTables(store);
    for (Location table : discovery.tables()) {
      try {
        String id = tables.read(table).tableId().orElse("");
        if (readers.containsKey(id)) {
          Set<String> writers = new HashSet<>(tables.recentWriters(table, NEWEST_COMMITS));
          queries.forEach(
              (query, writer) -> {
                if (writers.contains(query)) {
                  add(byReader, readers.get(id), new Upstream(writer, table.toString()));
                }
              });
        }
      } catch (IOException unreadable) {
        continue;
      }
    }
    return new TableFlow(byReader);
  }

  private static void add(
      Map<String, List<Upstream>> byReader, List<DiscoveredCheckpoint> readers, Upstream upstream) {
    for (DiscoveredCheckpoint reader : readers) {
      List<Upstream> known = byReader.computeIfAbsent(reader.path(), key -> new ArrayList<>());
      boolean isItself = reader.path().equals(upstream.writer().path());
      boolean isKnown =
          known.stream().anyMatch(one -> one.writer().path().equals(upstream.writer().path()));
      if (!isItself && !isKnown) {
        known.add(upstream);
      }
    }
  }

  /** Who writes what a query reads, in the order of the discovery. */
  List<Upstream> upstream(DiscoveredCheckpoint reader) {
    return List.copyOf(byReader.getOrDefault(reader.path(), List.of()));
  }
}
