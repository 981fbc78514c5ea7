package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.embedded.PathForm;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Whether the files that a file sink's log names are at their new place, with their sizes. */
final class MovedOutput {
  private static final String COMPACT = ".compact";
  private static final int MOST_NAMED = 3;

  private final Store store;
  private final Location oldLog;
  private final Location output;
  private final PrefixMap rules;

  MovedOutput(Store store, Location oldLog, Location output, PrefixMap rules) {
    this.store = requireNonNull(store, "store");
    this.oldLog = requireNonNull(oldLog, "oldLog");
    this.output = requireNonNull(output, "output");
    this.rules = requireNonNull(rules, "rules");
  }

  /**
   * Compares the log with what is there. The newest compact entry and all after it name every file
   * ({@code CompactibleFileStreamLog.allFiles}).
   *
   * @param log the log's files
   */
  void check(List<CheckpointFile> log, List<Finding> findings) throws IOException {
    Map<Location, Long> there = files();
    Set<Location> deleted = new HashSet<>();
    Map<Location, Long> missing = new HashMap<>();
    List<String> named = new ArrayList<>();
    long base =
        log.stream()
            .filter(file -> file.name().endsWith(COMPACT))
            .mapToLong(MovedOutput::number)
            .max()
            .orElse(-1);
    long entries = 0;
    for (CheckpointFile file : log) {
      boolean read = number(file) > base || file.name().endsWith(COMPACT) && number(file) == base;
      if (!read || number(file) < 0) {
        continue;
      }
      try (BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(
                  store.open(oldLog.child(file.path())), StandardCharsets.UTF_8))) {
        lines.readLine();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Optional<JsonNode> entry = Json.parseObject(line);
          Optional<Location> place =
              entry
                  .map(node -> node.path("path").asText())
                  .flatMap(path -> rules.moved(path, PathForm.URI_ENCODED));
          if (place.isEmpty()) {
            continue;
          }
          entries++;
          OptionalLong size = Json.exactLong(entry.get().get("size"));
          Long found = there.get(place.get());
          if (entry.get().path("action").asText().equals("delete")) {
            deleted.add(place.get());
          } else if (found == null || (size.isPresent() && size.getAsLong() != found)) {
            missing.put(place.get(), found);
          }
        }
      }
    }
    missing.keySet().removeAll(deleted);
    missing.entrySet().stream()
        .sorted(Map.Entry.comparingByKey(java.util.Comparator.comparing(Location::toString)))
        .limit(MOST_NAMED)
        .forEach(
            file ->
                named.add(
                    file.getKey()
                        + (file.getValue() == null ? "" : " (" + file.getValue() + " bytes)")));
    if (!missing.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.SINK_FILES_MISSING,
              output.toString(),
              missing.size()
                  + " of the "
                  + entries
                  + " output files that the sink's log names are not at the new place with the size"
                  + " that the log says: "
                  + String.join(", ", named)
                  + (missing.size() > MOST_NAMED ? ", …" : "")
                  + ": a reader of the new place would fail or miss their rows",
              "copy them from the old place first; names and partition directories stay as they"
                  + " are"));
    }
  }

  private Map<Location, Long> files() throws IOException {
    Map<Location, Long> files = new HashMap<>();
    try {
      for (StoreEntry entry : store.walk(output)) {
        if (entry.isFile()) {
          files.put(entry.location(), entry.size());
        }
      }
    } catch (NoSuchFileException | NotDirectoryException nothing) {
      return Map.of();
    }
    return files;
  }

  /** The batch of an entry; -1 if it is none. */
  private static long number(CheckpointFile file) {
    String number =
        file.name().endsWith(COMPACT)
            ? file.name().substring(0, file.name().length() - COMPACT.length())
            : file.name();
    return number.matches("[0-9]{1,18}") ? Long.parseLong(number) : -1;
  }
}
