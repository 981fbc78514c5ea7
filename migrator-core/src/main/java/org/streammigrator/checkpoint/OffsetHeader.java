package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * The second line of an offsets file ({@code OffsetSeqMetadata} in Spark's {@code
 * OffsetSeq.scala}).
 *
 * @param raw the line as it stands
 * @param batchWatermarkMs the watermark that the batch uses, milliseconds since the epoch
 * @param batchTimestampMs the batch's processing time, milliseconds since the epoch
 * @param conf the session settings that the checkpoint pins, in the order they stand
 */
public record OffsetHeader(
    String raw, long batchWatermarkMs, long batchTimestampMs, Map<String, String> conf) {

  /** The conf key under which the number of state partitions is pinned. */
  public static final String SHUFFLE_PARTITIONS = "spark.sql.shuffle.partitions";

  /** The conf key of the state store provider's class. */
  public static final String STATE_PROVIDER = "spark.sql.streaming.stateStore.providerClass";

  public OffsetHeader {
    conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
  }

  static OffsetHeader parse(String line) throws LogFormatException {
    JsonNode node =
        Json.parse(line)
            .filter(json -> !json.isNull())
            .orElseThrow(
                () ->
                    new LogFormatException(
                        FindingCode.OFFSETS_CORRUPT,
                        "line 2 is not the JSON object that Spark writes there: "
                            + LogText.quote(line)));
    Map<String, String> conf = new LinkedHashMap<>();
    JsonNode confNode = node.path("conf");
    if (confNode.isObject()) {
      confNode.properties().forEach(e -> conf.put(e.getKey(), e.getValue().asText()));
    } else if (!confNode.isMissingNode() && !confNode.isNull()) {
      throw new LogFormatException(
          FindingCode.OFFSETS_CORRUPT, "\"conf\" in line 2 is not an object");
    }
    return new OffsetHeader(
        line, time(node, "batchWatermarkMs"), time(node, "batchTimestampMs"), conf);
  }

  /** The same header with another watermark, in milliseconds since the epoch. */
  OffsetHeader withWatermark(long watermarkMs) {
    ObjectNode node = (ObjectNode) Json.parseObject(raw).orElseThrow();
    node.put("batchWatermarkMs", watermarkMs);
    return new OffsetHeader(node.toString(), watermarkMs, batchTimestampMs, conf);
  }

  private static long time(JsonNode node, String field) throws LogFormatException {
    JsonNode value = node.get(field);
    if (value == null || value.isNull()) {
      return 0;
    }
    OptionalLong number = Json.asSparkReadsIt(value);
    if (number.isEmpty()) {
      throw new LogFormatException(
          FindingCode.OFFSETS_CORRUPT, "\"" + field + "\" in line 2 is not a number");
    }
    return number.getAsLong();
  }

  /** Whether line 2 is an object whose times are 64-bit integers; Spark reads other lines, too. */
  public boolean isAsSparkWritesIt() {
    return Json.parseObject(raw)
        .filter(
            node -> isTime(node.get("batchWatermarkMs")) && isTime(node.get("batchTimestampMs")))
        .isPresent();
  }

  private static boolean isTime(JsonNode value) {
    return value == null || value.isNull() || Json.exactLong(value).isPresent();
  }

  /** The pinned number of state partitions; empty if none is pinned or it is not a number. */
  public OptionalInt statePartitions() {
    try {
      return Optional.ofNullable(conf.get(SHUFFLE_PARTITIONS))
          .map(value -> OptionalInt.of(Integer.parseInt(value.strip())))
          .orElse(OptionalInt.empty());
    } catch (NumberFormatException notANumber) {
      return OptionalInt.empty();
    }
  }
}
