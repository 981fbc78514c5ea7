package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.json.Json;

/**
 * Decodes a source's line by what it says. Where several kinds of source write the same text, the
 * caller's hint decides; a bare number is never guessed.
 */
public final class SourceOffsets {
  /** The kinds that a text alone may be taken for, the most specific first. */
  private static final List<SourceKind> BY_TEXT =
      List.of(SourceKind.DELTA, SourceKind.RATE_MICRO_BATCH, SourceKind.FILES, SourceKind.KAFKA);

  private SourceOffsets() {}

  /**
   * Decodes a line.
   *
   * @param raw the line as it stands
   * @param told the kind that the user tells; empty if nobody does. A text that is not of that kind
   *     is unknown, whatever else it looks like
   * @param hint the kind that the source's private files suggest; ignored where it does not fit
   */
  public static SourceOffset decode(
      String raw, Optional<SourceKind> told, Optional<SourceKind> hint) {
    if (told.isEmpty() && hint.isPresent()) {
      SourceOffset hinted = decode(raw, hint);
      if (!(hinted instanceof UnknownOffset)) {
        return hinted;
      }
    }
    return decode(raw, told);
  }

  /**
   * Decodes a line.
   *
   * @param raw the line as it stands
   * @param told the kind of source; empty if nobody tells
   */
  public static SourceOffset decode(String raw, Optional<SourceKind> told) {
    if (raw.equals(NoOffset.TEXT)) {
      return new NoOffset();
    }
    Optional<JsonNode> json = Json.parse(raw);
    if (json.isPresent()) {
      for (SourceKind kind : told.map(List::of).orElse(BY_TEXT)) {
        Optional<? extends SourceOffset> offset = as(kind, json.get());
        // A bare number may be a file source's, and anybody else's.
        if (offset.isPresent() && (told.isPresent() || json.get().isObject())) {
          return offset.get();
        }
      }
    }
    return new UnknownOffset(raw);
  }

  private static Optional<? extends SourceOffset> as(SourceKind kind, JsonNode node) {
    return switch (kind) {
      case DELTA -> DeltaOffset.decode(node);
      case KAFKA, EVENTHUBS -> PartitionedOffset.decode(kind, node);
      case FILES -> FilesOffset.decode(node);
      case RATE -> RateOffset.decode(node);
      case RATE_MICRO_BATCH -> RateMicroBatchOffset.decode(node);
      case NONE, UNKNOWN -> Optional.empty();
    };
  }
}
