package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * Google Pub/Sub by Databricks' connector: a place in the log of fetches that it keeps for itself.
 * The format is closed; the fields are those of its documentation.
 *
 * @param json the offset as it stands
 * @param sequenceNumber the last fetched batch of messages ({@code seqNum})
 * @param fetchEpoch the run of fetches that it belongs to
 */
public record PubSubOffset(JsonNode json, long sequenceNumber, long fetchEpoch)
    implements SourceOffset {

  public PubSubOffset {
    requireNonNull(json, "json");
  }

  static Optional<PubSubOffset> decode(JsonNode node) {
    OptionalLong number = Json.exactLong(node.get("seqNum"));
    OptionalLong epoch = Json.exactLong(node.get("fetchEpoch"));
    return number.isPresent() && epoch.isPresent()
        ? Optional.of(new PubSubOffset(node, number.getAsLong(), epoch.getAsLong()))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.PUBSUB;
  }
}
