package org.streammigrator.position;

import java.util.List;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.PubSubLiteOffset;
import org.streammigrator.checkpoint.source.PubSubOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Google Pub/Sub. Where a new query starts is kept by the subscription in both cases
 * ({@code PslMicroBatchStream.initialOffset} asks its cursor); no reader option says a place.
 */
final class PubSubPositions {
  private PubSubPositions() {}

  static SourcePosition of(RecordedSource source, PubSubOffset offset) {
    return source.notExpressible(
        offset,
        "fetch " + offset.sequenceNumber() + " of epoch " + offset.fetchEpoch(),
        "the number counts fetches in a log that the connector keeps for itself; messages that it"
            + " acknowledged are gone from the subscription. Copy the whole checkpoint",
        List.of(source.inexact()));
  }

  static SourcePosition of(RecordedSource source, PubSubLiteOffset offset) {
    String consumed =
        offset.last().entrySet().stream()
            .map(
                partition ->
                    "partition "
                        + partition.getKey()
                        + (partition.getValue() < 0
                            ? " nothing"
                            : " through " + partition.getValue()))
            .collect(Collectors.joining(", "));
    String next =
        offset.last().entrySet().stream()
            .map(partition -> partition.getKey() + ": " + (partition.getValue() + 1))
            .collect(Collectors.joining(", "));
    List<Finding> findings =
        source.told()
            ? List.of(source.inexact())
            : List.of(
                Finding.warning(
                    FindingCode.SOURCE_TYPE_AMBIGUOUS,
                    source.subject(),
                    "a number by partition and no topic is what the Pub/Sub Lite connector writes,"
                        + " and it is read so: the numbers are the last consumed. Other sources write"
                        + " such maps, too, and with Kafka's meaning the numbers would be the next"
                        + " to read",
                    "settle it with --source " + source.id() + "=pubsub-lite"),
                source.inexact());
    return source.notExpressible(
        offset,
        consumed,
        "the numbers are the last consumed, the opposite of Kafka's; the next to read are "
            + next
            + ". A new query starts at the subscription's cursor, which the connector commits after"
            + " each batch: no reader option moves it, seeking the subscription does",
        findings);
  }
}
