package org.streammigrator.position;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** Where a Spark query goes on from what a HoodieStreamer has read. */
public final class HoodieStreamerPositions {
  private static final String SUBJECT = "HoodieStreamer";

  private HoodieStreamerPositions() {}

  /** The position of a checkpoint of HoodieStreamer, as that of the only source. */
  public static Resume of(HoodieStreamerCheckpoint checkpoint) {
    SourcePosition position =
        switch (checkpoint.kind()) {
          case KAFKA -> kafka(checkpoint);
          case NONE -> none();
          case TIMESTAMP -> timestamp();
        };
    return new Resume("a checkpoint of HoodieStreamer", null, null, List.of(position), List.of());
  }

  private static SourcePosition kafka(HoodieStreamerCheckpoint checkpoint) {
    ObjectNode offsets = JsonNodeFactory.instance.objectNode();
    ObjectNode partitions = offsets.putObject(checkpoint.topic());
    checkpoint
        .next()
        .forEach((partition, next) -> partitions.put(Integer.toString(partition), next));
    return new SourcePosition(
        "0",
        SourceKind.KAFKA,
        Exactness.EXACT,
        Map.of("startingOffsets", offsets.toString()),
        "the offsets before those written",
        offsets,
        "both write the next offset to read, so the numbers stay as they are",
        List.of());
  }

  private static SourcePosition none() {
    return new SourcePosition(
        "0",
        SourceKind.NONE,
        Exactness.UNKNOWN,
        Map.of(),
        "nothing",
        JsonNodeFactory.instance.nullNode(),
        "an empty text is no checkpoint, and not offset 0: the streamer starts where its"
            + " configuration says (auto.offset.reset)",
        List.of(
            Finding.info(
                FindingCode.SOURCE_HAS_NO_OFFSET,
                SUBJECT,
                "the text is empty: there is no checkpoint",
                "start from the source's own default")));
  }

  private static SourcePosition timestamp() {
    return new SourcePosition(
        "0",
        SourceKind.UNKNOWN,
        Exactness.UNKNOWN,
        Map.of(),
        "unknown",
        JsonNodeFactory.instance.nullNode(),
        "a time names no record: which records came before it is not the same as which were read",
        List.of(
            Finding.error(
                FindingCode.INEXACT_POSITION,
                SUBJECT,
                "the text is a time in milliseconds (checkpoint type timestamp), no position",
                "take the last checkpoint with offsets from the table's commits, or start earlier"
                    + " than the time by the largest delay and MERGE")));
  }
}
