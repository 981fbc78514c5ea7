package org.streammigrator.position;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.PulsarMessageId;
import org.streammigrator.checkpoint.source.PulsarOffset;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Positions of Pulsar sources ({@code PulsarSourceRDD.scala} of StreamNative). A recorded id is the
 * last consumed message: a reader opens at it and drops it. An id that a user gives in {@code
 * startingOffsets} is not dropped ({@code UserProvidedMessageId}), and neither is the id in {@code
 * sources/<id>/0}, which was once given so.
 */
final class PulsarPositions {
  private PulsarPositions() {}

  static SourcePosition of(RecordedSource source, PulsarOffset offset) {
    Map<String, String> options = Map.of("startingOffsets", offset.json().toString());
    List<String> again =
        offset.last().entrySet().stream()
            .filter(topic -> !topic.getValue().earliest())
            .map(Map.Entry::getKey)
            .toList();
    if (source.initial() || again.isEmpty()) {
      return source.at(
          offset,
          Exactness.EXACT,
          options,
          "nothing",
          "the ids are where the first batch starts, inclusive, as startingOffsets is",
          List.of());
    }
    String consumed =
        offset.last().entrySet().stream()
            .map(topic -> topic.getKey() + " " + words(topic.getValue()))
            .collect(Collectors.joining(", "));
    return source.at(
        offset,
        Exactness.OVERLAP,
        options,
        consumed,
        "recorded ids are the last consumed and startingOffsets is inclusive: the last entry of "
            + again.size()
            + (again.size() == 1 ? " topic" : " topics")
            + " is read again. It must still be there, or the connector reports data loss",
        List.of(
            Finding.warning(
                FindingCode.INEXACT_POSITION,
                source.subject(),
                "started with these ids, the last consumed entry (a message, or a batch of messages)"
                    + " of each of "
                    + String.join(", ", again)
                    + " is read twice",
                "use strategy seed or relocate, or MERGE the repeated messages away")));
  }

  private static String words(PulsarMessageId id) {
    return id.earliest() ? "nothing" : "through " + id;
  }
}
