package org.streammigrator.migration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.plan.StreamPlan;

/** The journal's entry about what is going to be done to a stream. */
final class Resolved {
  private Resolved() {}

  /**
   * The entry, before anything is written on its strength.
   *
   * @param oldFingerprint the itinerary's
   */
  static ObjectNode entry(StreamPlan stream, StreamItinerary itinerary, String oldFingerprint) {
    Draft draft = itinerary.draft().orElseThrow();
    Long batch = itinerary.resume().batch();
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
    ArrayNode sources = entry.putArray("sources");
    if (batch != null) {
      addSources(sources, itinerary.checkpoint().orElseThrow(), batch);
    }
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
