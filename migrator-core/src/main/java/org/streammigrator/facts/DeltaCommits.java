package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads the commit files of a Delta table, one after the other, line by line. The actions are those
 * of Delta's protocol (PROTOCOL.md, "Actions").
 */
final class DeltaCommits {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final long MOST_COMMITS_BACK = 1000;

  private final Store store;
  private final Location table;

  DeltaCommits(Store store, Location table) {
    this.store = requireNonNull(store, "store");
    this.table = requireNonNull(table, "table");
  }

  /**
   * What the commits of a range hold; commit files that do not exist are passed over.
   *
   * @param from the first version
   * @param filesDone how many of the files that {@code from} adds are read already
   * @param through the last version
   * @param schema the table's schema before {@code from}, as JSON; empty if not known
   */
  DeltaBacklog backlog(long from, long filesDone, long through, Optional<String> schema)
      throws IOException {
    Reading reading = new Reading(schema);
    reading.logOnly =
        store.list(table).stream().allMatch(entry -> entry.location().name().equals("_delta_log"));
    for (long version = from; version <= through; version++) {
      reading.commit(version, version == from ? filesDone : 0);
    }
    return new DeltaBacklog(
        from,
        through,
        reading.versions,
        reading.files,
        reading.bytes,
        reading.rowsKnown ? OptionalLong.of(reading.rows) : OptionalLong.empty(),
        reading.vacuumed,
        reading.unchecked,
        reading.schemaChanges,
        reading.rewriting);
  }

  /**
   * The schema that the table had before a version, as JSON; empty if none of the last commits
   * before it sets one.
   *
   * @param earliest the first version whose commit exists
   */
  Optional<String> schemaBefore(long version, long earliest) throws IOException {
    long last = Math.max(earliest, version - MOST_COMMITS_BACK);
    for (long earlier = version - 1; earlier >= last; earlier--) {
      Reading reading = new Reading(Optional.empty());
      reading.onlySchema = true;
      reading.commit(earlier, 0);
      if (reading.schema.isPresent()) {
        return reading.schema;
      }
    }
    return Optional.empty();
  }

  private Location file(long version) {
    return table.child("_delta_log").child(String.format(Locale.ROOT, "%020d.json", version));
  }

  private final class Reading {
    private Optional<String> schema;
    private boolean onlySchema;

    /** Somebody copied the log without the data, which VACUUM never does to a table. */
    private boolean logOnly;

    private long versions;
    private long files;
    private long bytes;
    private long rows;
    private boolean rowsKnown = true;
    private long unchecked;
    private final SortedMap<Long, List<String>> vacuumed = new TreeMap<>();
    private final SortedMap<Long, String> schemaChanges = new TreeMap<>();
    private final SortedSet<Long> rewriting = new TreeSet<>();

    private Reading(Optional<String> schema) {
      this.schema = schema;
    }

    private void commit(long version, long filesDone) throws IOException {
      long added = 0;
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(store.open(file(version)), StandardCharsets.UTF_8))) {
        versions++;
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          if (line.startsWith("{\"add\"") && !onlySchema) {
            JsonNode add = MAPPER.readTree(line).path("add");
            if (add.path("dataChange").asBoolean(true) && ++added > filesDone) {
              add(version, add);
            }
          } else if (line.startsWith("{\"remove\"") && !onlySchema) {
            if (MAPPER.readTree(line).path("remove").path("dataChange").asBoolean(true)) {
              rewriting.add(version);
            }
          } else if (line.contains("\"metaData\"")) {
            metadata(version, MAPPER.readTree(line).path("metaData").path("schemaString"));
          }
        }
      } catch (NoSuchFileException gone) {
        rowsKnown = false;
      } catch (JsonProcessingException damaged) {
        throw new IOException(
            file(version) + " is damaged: " + damaged.getOriginalMessage(), damaged);
      }
    }

    private void metadata(long version, JsonNode schemaString) {
      if (!schemaString.isTextual()) {
        return;
      }
      String now = schemaString.asText();
      if (schema.isPresent() && !schema.get().equals(now)) {
        String change = change(fields(schema.get()), fields(now));
        schemaChanges.put(version, change);
      }
      schema = Optional.of(now);
    }

    private void add(long version, JsonNode add) throws IOException {
      files++;
      bytes += add.path("size").asLong();
      JsonNode records = records(add);
      if (records.isIntegralNumber()) {
        rows += records.longValue();
      } else {
        rowsKnown = false;
      }
      Optional<Location> place = place(table, add.path("path").asText());
      if (place.isEmpty() || logOnly) {
        unchecked++;
      } else if (store.stat(place.get()).filter(StoreEntry::isFile).isEmpty()) {
        vacuumed.computeIfAbsent(version, key -> new ArrayList<>()).add(add.path("path").asText());
      }
    }

    private JsonNode records(JsonNode add) throws JsonProcessingException {
      String statistics = add.path("stats").asText("");
      return MAPPER.readTree(statistics.isEmpty() ? "{}" : statistics).path("numRecords");
    }
  }

  /**
   * Where a data file is: paths in the log are URI-encoded, and relative to the table mostly. Empty
   * for one of another store than the table's, which may not be within reach.
   */
  static Optional<Location> place(Location table, String path) {
    String decoded = URLDecoder.decode(path.replace("+", "%2B"), StandardCharsets.UTF_8);
    if (!path.matches("[A-Za-z][A-Za-z0-9+.-]*:.*") && !path.startsWith("/")) {
      Location place = table;
      for (String name : decoded.split("/")) {
        place = place.child(name);
      }
      return Optional.of(place);
    }
    try {
      return Optional.of(Location.parse(decoded, Path.of("/")))
          .filter(
              place ->
                  place.isLocal()
                      || place.scheme().equals(table.scheme())
                          && place.authority().equals(table.authority()));
    } catch (IllegalArgumentException strange) {
      return Optional.empty();
    }
  }

  /** Names and types of a schema's columns. */
  private static Map<String, String> fields(String schema) {
    Map<String, String> fields = new LinkedHashMap<>();
    try {
      for (JsonNode field : MAPPER.readTree(schema).path("fields")) {
        JsonNode type = field.path("type");
        fields.put(field.path("name").asText(), type.isTextual() ? type.asText() : type.toString());
      }
    } catch (JsonProcessingException unreadable) {
      return Map.of();
    }
    return fields;
  }

  private static String change(Map<String, String> before, Map<String, String> after) {
    List<String> words = new ArrayList<>();
    after.forEach(
        (name, type) -> {
          if (!before.containsKey(name)) {
            words.add("column " + name + " added");
          } else if (!before.get(name).equals(type)) {
            words.add("type of " + name + " changed");
          }
        });
    before.keySet().stream()
        .filter(name -> !after.containsKey(name))
        .forEach(name -> words.add("column " + name + " dropped or renamed"));
    return words.isEmpty() ? "properties of columns changed" : String.join(", ", words);
  }
}
