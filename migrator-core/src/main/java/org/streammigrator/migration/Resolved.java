package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;

/** The journal's entry about what is going to be done to a stream. */
final class Resolved {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Resolved() {}

  /** The ledger of such an entry; empty where an older version wrote it without one. */
  static List<LedgerEntry> ledger(JsonNode entry) {
    List<LedgerEntry> ledger = new ArrayList<>();
    for (JsonNode line : entry.path("ledger")) {
      ledger.add(
          new LedgerEntry(
              line.path("source").asText(),
              line.path("type").asText(),
              line.path("processedThrough").asText(),
              line.path("position"),
              line.path("firstBatch").asLong(),
              line.path("meets").asText(),
              line.path("note").asText()));
    }
    return ledger;
  }

  /**
   * The entry, before anything is written on its strength.
   *
   * @param oldFingerprint the itinerary's
   */
  static ObjectNode entry(StreamPlan stream, StreamItinerary itinerary, String oldFingerprint) {
    Draft draft = itinerary.draft().orElseThrow();
    boolean isEmpty = stream.strategy() == Strategy.START_OPTIONS;
    // An empty checkpoint holds no position, and its batches begin at 0.
    Long batch = isEmpty ? null : itinerary.resume().batch();
    ObjectNode entry =
        Journal.entry("resolved", stream.name())
            .put("from", stream.checkpoint().from().toString())
            .put("to", stream.checkpoint().to().orElseThrow().toString())
            .put("strategy", stream.strategy().label())
            .put("queryId", draft.queryId())
            .put("oldFingerprint", oldFingerprint)
            .put("exactness", draft.exactness().name())
            .put("explanation", draft.explanation())
            .put("batch", batch);
    if (itinerary.replay() != null) {
      entry.put("replaySink", itinerary.replay().sink().name());
    }
    if (!itinerary.sinkMoves().isEmpty()) {
      ArrayNode logs = entry.putArray("sinkLogs");
      itinerary.sinkMoves().forEach(move -> logs.add(move.newLog().toString()));
    }
    if (isEmpty) {
      ArrayNode options = entry.putArray(StartOptions.KEY);
      StartOptions.lines(stream, itinerary.resume()).forEach(options::add);
    }
    ArrayNode sources = entry.putArray("sources");
    if (batch != null) {
      addSources(sources, itinerary.checkpoint().orElseThrow(), batch);
    }
    entry.set("ledger", MAPPER.valueToTree(itinerary.ledger()));
    return entry;
  }

  private static void addSources(ArrayNode sources, Checkpoint checkpoint, long batch) {
    checkpoint
        .offsets()
        .file(batch)
        .readable()
        .ifPresent(
            log ->
                log.sources()
                    .forEach(
                        source ->
                            sources.addObject().put("id", source.id()).put("raw", source.raw())));
  }
}
