package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * One line of the ledger: how the old and the new checkpoint meet at one source.
 *
 * @param source the source's id
 * @param type its kind
 * @param processedThrough what the old query read last, in words
 * @param position the position at which the new query goes on
 * @param firstBatch the first batch that the new checkpoint plans or reruns
 * @param meets {@code exact}, {@code overlap}, {@code loss} or {@code unknown}
 * @param note what absorbs an overlap, or how it is known that they meet
 */
@JsonPropertyOrder({
  "source",
  "type",
  "processedThrough",
  "position",
  "firstBatch",
  "meets",
  "note"
})
public record LedgerEntry(
    String source,
    String type,
    String processedThrough,
    JsonNode position,
    long firstBatch,
    String meets,
    String note) {

  public LedgerEntry {
    requireNonNull(source, "source");
    requireNonNull(type, "type");
    requireNonNull(processedThrough, "processedThrough");
    requireNonNull(position, "position");
    requireNonNull(meets, "meets");
    requireNonNull(note, "note");
  }
}
