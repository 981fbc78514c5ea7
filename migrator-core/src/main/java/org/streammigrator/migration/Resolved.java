package org.streammigrator.migration;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.plan.StreamPlan;

/**
 * The journal's entry {@code resolved}: what a stream was found to be before anything is written.
 */
final class Resolved {
  private Resolved() {}

  static ObjectNode entry(StreamPlan stream, StreamItinerary itinerary) {
    Checkpoint checkpoint = itinerary.checkpoint().orElseThrow();
    Draft draft = itinerary.draft().orElseThrow();
    ObjectNode entry =
        Journal.entry("resolved", stream.name())
            .put("from", stream.checkpoint().from().toString())
            .put("to", stream.checkpoint().to().orElseThrow().toString())
            .put("strategy", stream.strategy().label())
            .put("queryId", draft.queryId())
            .put("oldFingerprint", itinerary.oldFingerprint())
            .put("exactness", draft.exactness().name())
            .put("explanation", draft.explanation())
            .put("batch", itinerary.resume().batch());
    if (!itinerary.sinkMoves().isEmpty()) {
      ArrayNode logs = entry.putArray("sinkLogs");
      itinerary.sinkMoves().forEach(move -> logs.add(move.newLog().toString()));
    }
    ArrayNode sources = entry.putArray("sources");
    Long batch = itinerary.resume().batch();
    if (batch != null) {
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
    return entry;
  }
}
