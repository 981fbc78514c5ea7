package org.streammigrator.rehearsal;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** What is in a scratch sink, before and after the rehearsed query. */
final class SinkContent {
  private static final String DELTA_LOG = "_delta_log";

  private SinkContent() {}

  /**
   * Lets the scratch sinks of file sinks know the batches up to one, as the real ones do: Spark
   * compacts their log at every tenth batch, and stops where one before is missing.
   *
   * @param through the newest batch that is known then
   */
  static void prepare(Store store, StreamPlan stream, ScratchPlace scratch, long through)
      throws IOException {
    for (int i = 0; i < stream.sink().size(); i++) {
      SinkPlan sink = stream.sink().get(i);
      if (sink.address().kind() != SinkKind.FILES || sink.address().location().isEmpty()) {
        continue;
      }
      Location log = sink.address().location().get().child(FileSinks.LOG);
      for (StoreEntry entry : entries(store, log)) {
        String number = entry.location().name().replaceFirst("\\.compact$", "");
        if (entry.isFile() && number.matches("[0-9]{1,18}") && Long.parseLong(number) <= through) {
          store.write(
              scratch.sink(i).child(FileSinks.LOG).child(entry.location().name()),
              Content.of(store.readAll(entry.location())),
              Optional.of(entry.modified()));
        }
      }
    }
  }

  /**
   * What the query has written to a scratch sink.
   *
   * @return files, bytes, and rows where the sink is a Delta table whose files all tell theirs
   */
  static StreamRehearsal.SinkRun read(Store store, Location sink) throws IOException {
    long files = 0;
    long bytes = 0;
    try {
      for (StoreEntry entry : store.walk(sink)) {
        String path = entry.location().relativeTo(sink);
        if (entry.isFile()
            && !path.startsWith("_")
            && !path.startsWith(".")
            && !path.contains("/.")
            && !path.contains("/_")) {
          files++;
          bytes += entry.size();
        }
      }
    } catch (NoSuchFileException | NotDirectoryException nothing) {
      return new StreamRehearsal.SinkRun(sink.toString(), 0, 0, null);
    }
    return new StreamRehearsal.SinkRun(sink.toString(), files, bytes, rows(store, sink));
  }

  /**
   * By the statistics of the files that the table has now; null if it is no table, or one lacks
   * them.
   */
  private static Long rows(Store store, Location sink) throws IOException {
    Map<String, Long> rows = new HashMap<>();
    List<StoreEntry> commits = new ArrayList<>(entries(store, sink.child(DELTA_LOG)));
    commits.removeIf(entry -> !entry.location().name().matches("[0-9]{20}\\.json"));
    if (commits.isEmpty()) {
      return null;
    }
    for (StoreEntry commit : commits) {
      String text = new String(store.readAll(commit.location()), StandardCharsets.UTF_8);
      for (String line : text.lines().toList()) {
        JsonNode action = Json.parseObject(line).orElse(null);
        if (action == null) {
          continue;
        }
        rows.remove(action.at("/remove/path").asText());
        JsonNode add = action.path("add");
        if (add.isObject()) {
          JsonNode counted =
              Json.parseObject(add.path("stats").asText(""))
                  .map(stats -> stats.path("numRecords"))
                  .orElse(null);
          rows.put(
              add.path("path").asText(),
              counted == null || !counted.isIntegralNumber()
                  ? null
                  : counted.asLong() - add.at("/deletionVector/cardinality").asLong(0));
        }
      }
    }
    long all = 0;
    for (Long counted : rows.values()) {
      if (counted == null) {
        return null;
      }
      all += counted;
    }
    return all;
  }

  private static List<StoreEntry> entries(Store store, Location directory) throws IOException {
    try {
      return store.list(directory);
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
  }
}
