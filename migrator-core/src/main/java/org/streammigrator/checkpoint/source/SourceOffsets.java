package org.streammigrator.checkpoint.source;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.json.Json;

/**
 * Decodes a source's line by what it says. Where several kinds of source write the same text, the
 * caller's hint decides; a bare number is never guessed.
 */
public final class SourceOffsets {
  /**
   * The kinds that a text alone is taken for. A text of two of them is of the first one, as Delta's
   * own is, which Delta Sharing writes too; else those that are met most stand first.
   */
  private static final List<SourceKind> BY_TEXT =
      List.of(
          SourceKind.DELTA,
          SourceKind.KAFKA,
          SourceKind.FILES,
          SourceKind.AUTOLOADER,
          SourceKind.RATE_MICRO_BATCH,
          SourceKind.ICEBERG,
          SourceKind.KINESIS,
          SourceKind.HUDI,
          SourceKind.DELTA_SHARING,
          SourceKind.PULSAR,
          SourceKind.MONGODB,
          SourceKind.PAIMON,
          SourceKind.PUBSUB,
          SourceKind.PUBSUB_LITE);

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
    Optional<JsonNode> json = Json.parseUnambiguous(raw);
    if (json.isPresent()) {
      for (SourceKind kind : told.map(List::of).orElse(BY_TEXT)) {
        Optional<? extends SourceOffset> offset = as(kind, json.get());
        // A bare number may be a file source's, and anybody else's.
        if (offset.isPresent() && (told.isPresent() || json.get().isContainerNode())) {
          return offset.get();
        }
      }
    }
    return new UnknownOffset(raw);
  }

  /** Every kind of source that could have written a line. */
  public static List<SourceKind> readings(String raw) {
    Optional<JsonNode> json = Json.parseUnambiguous(raw);
    List<SourceKind> kinds = new ArrayList<>();
    if (json.isPresent()) {
      for (SourceKind kind : SourceKind.values()) {
        if (as(kind, json.get()).isPresent()) {
          kinds.add(kind);
        }
      }
    }
    return kinds;
  }

  private static Optional<? extends SourceOffset> as(SourceKind kind, JsonNode node) {
    return switch (kind) {
      case DELTA, DELTA_SHARING -> DeltaOffset.decode(kind, node);
      case KAFKA, EVENTHUBS -> PartitionedOffset.decode(kind, node);
      case FILES -> FilesOffset.decode(node);
      case AUTOLOADER -> AutoLoaderOffset.decode(node);
      case ICEBERG -> IcebergOffset.decode(node);
      case KINESIS -> KinesisOffset.decode(node);
      case HUDI -> HudiOffset.decode(node);
      case PAIMON -> PaimonOffset.decode(node);
      case PULSAR -> PulsarOffset.decode(node);
      case RATE -> RateOffset.decode(node);
      case SOCKET, MEMORY -> LastIndexOffset.decode(kind, node);
      case MONGODB -> MongoOffset.decode(node);
      case PUBSUB -> PubSubOffset.decode(node);
      case PUBSUB_LITE -> PubSubLiteOffset.decode(node);
      case RATE_MICRO_BATCH -> RateMicroBatchOffset.decode(node);
      case NONE, UNKNOWN -> Optional.empty();
    };
  }
}
