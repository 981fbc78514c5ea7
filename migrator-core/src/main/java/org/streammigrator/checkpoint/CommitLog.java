package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * One file of {@code commits/}: the mark that a batch is done. Rules from Spark's {@code
 * CommitLog.scala}: version 1 since 2.1, version 2 with state ids since 4.0, version 3 with sink
 * metadata since 4.2; a file that ends after its version line counts as <code>{}</code>.
 *
 * @param text the whole file; {@link #bytes()} gives back exactly what was read
 * @param version 1 to 3
 * @param nextBatchWatermarkMs the watermark for the next batch, milliseconds since the epoch; 0 if
 *     absent
 * @param stateUniqueIds state format 2: by operator, for each partition the id of each store; Spark
 *     does not read them in a version 1 file, which previews of 4.0 wrote with empty ones
 */
public record CommitLog(
    String text,
    int version,
    long nextBatchWatermarkMs,
    Map<String, List<List<String>>> stateUniqueIds) {

  /** The newest version that any Spark writes. */
  public static final int NEWEST_VERSION = 3;

  /** What Spark writes for a first batch without a watermark. */
  public static final CommitLog FIRST =
      new CommitLog("v1\n{\"nextBatchWatermarkMs\":0}", 1, 0, Map.of());

  public CommitLog {
    requireNonNull(text, "text");
    stateUniqueIds = Collections.unmodifiableMap(new LinkedHashMap<>(stateUniqueIds));
  }

  /**
   * Reads a file.
   *
   * @throws LogFormatException where Spark could not read it
   */
  public static CommitLog parse(byte[] bytes) throws LogFormatException {
    LogText log =
        LogText.parse(
            bytes,
            "commit",
            NEWEST_VERSION,
            FindingCode.COMMIT_CORRUPT,
            FindingCode.COMMIT_CORRUPT);
    String body = log.lines().size() < 2 ? "{}" : log.lines().get(1);
    JsonNode node =
        Json.parseObject(body)
            .orElseThrow(() -> corrupt("line 2 is not a JSON object: " + LogText.quote(body)));
    JsonNode watermark = node.get("nextBatchWatermarkMs");
    OptionalLong next =
        watermark == null || watermark.isNull()
            ? OptionalLong.of(0)
            : Json.asSparkReadsIt(watermark);
    if (next.isEmpty()) {
      throw corrupt("\"nextBatchWatermarkMs\" is not a number");
    }
    return new CommitLog(
        log.text(), log.version(), next.getAsLong(), log.version() == 1 ? Map.of() : ids(node));
  }

  /** The same file with another watermark; fields this program does not know are kept. */
  public CommitLog withNextBatchWatermarkMs(long watermarkMs) {
    String body = text.lines().skip(1).findFirst().orElse("{}");
    ObjectNode node = (ObjectNode) Json.parseObject(body).orElseThrow();
    node.put("nextBatchWatermarkMs", watermarkMs);
    return new CommitLog("v" + version + "\n" + node, version, watermarkMs, stateUniqueIds);
  }

  /**
   * The same file with other ids of stores; fields this program does not know are kept.
   *
   * @param ids by operator, for each partition the id of each store
   */
  public CommitLog withStateUniqueIds(Map<String, List<List<String>>> ids) {
    String body = text.lines().skip(1).findFirst().orElse("{}");
    ObjectNode node = (ObjectNode) Json.parseObject(body).orElseThrow();
    ObjectNode operators = node.putObject("stateUniqueIds");
    ids.forEach(
        (operator, partitions) -> {
          ArrayNode list = operators.putArray(operator);
          partitions.forEach(
              stores -> {
                ArrayNode partition = list.addArray();
                stores.forEach(partition::add);
              });
        });
    return new CommitLog("v" + version + "\n" + node, version, nextBatchWatermarkMs, ids);
  }

  /** Whether the watermark is a 64-bit integer; Spark reads other numbers, too. */
  public boolean isAsSparkWritesIt() {
    JsonNode watermark =
        Json.parseObject(text.lines().skip(1).findFirst().orElse("{}"))
            .orElseThrow()
            .get("nextBatchWatermarkMs");
    return watermark == null || watermark.isNull() || Json.exactLong(watermark).isPresent();
  }

  /**
   * How many sinks of a version 3 file are active; Spark wants exactly one ({@code
   * CommitMetadataV3}).
   */
  public int activeSinks() {
    String body = text.lines().skip(1).findFirst().orElse("{}");
    int active = 0;
    for (JsonNode sink :
        Json.parseObject(body).map(node -> node.path("sinkMetadataMap")).orElseThrow()) {
      if (sink.path("isActive").asBoolean(true)) {
        active++;
      }
    }
    return active;
  }

  private static Map<String, List<List<String>>> ids(JsonNode node) throws LogFormatException {
    JsonNode ids = node.path("stateUniqueIds");
    Map<String, List<List<String>>> byOperator = new LinkedHashMap<>();
    if (ids.isMissingNode() || ids.isNull()) {
      return byOperator;
    }
    if (!ids.isObject()) {
      throw corrupt("\"stateUniqueIds\" is not an object");
    }
    for (Map.Entry<String, JsonNode> operator : ids.properties()) {
      List<List<String>> partitions = new ArrayList<>();
      for (JsonNode partition : operator.getValue()) {
        List<String> stores = new ArrayList<>();
        partition.forEach(store -> stores.add(store.asText()));
        partitions.add(List.copyOf(stores));
      }
      byOperator.put(operator.getKey(), List.copyOf(partitions));
    }
    return byOperator;
  }

  private static LogFormatException corrupt(String message) {
    return new LogFormatException(FindingCode.COMMIT_CORRUPT, message);
  }

  /** The file's bytes. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
