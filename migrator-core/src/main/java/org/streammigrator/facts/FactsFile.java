package org.streammigrator.facts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads facts from a JSON file, for verdicts without access to brokers and tables. */
public final class FactsFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private FactsFile() {}

  /**
   * Reads the file's text.
   *
   * @throws IllegalArgumentException if it is no facts file; the message says what is wrong
   */
  public static Facts parse(String text) {
    JsonNode root;
    try {
      root = MAPPER.readTree(text);
    } catch (JsonProcessingException notJson) {
      throw new IllegalArgumentException(
          "line "
              + notJson.getLocation().getLineNr()
              + ", column "
              + notJson.getLocation().getColumnNr()
              + ": "
              + notJson.getOriginalMessage());
    }
    if (root == null || !root.isObject()) {
      throw new IllegalArgumentException(
          "it must hold a JSON object with keys such as kafka, delta, sinkTxn");
    }
    Map<String, KafkaFacts> kafka = new HashMap<>();
    for (Map.Entry<String, JsonNode> topic : members(root, "kafka")) {
      kafka.put(topic.getKey(), topic("kafka." + topic.getKey(), topic.getValue()));
    }
    Map<String, DeltaFacts> delta = new HashMap<>();
    for (Map.Entry<String, JsonNode> table : members(root, "delta")) {
      delta.put(table.getKey(), table("delta." + table.getKey(), table.getValue()));
    }
    Map<String, Long> transactions = new HashMap<>();
    for (Map.Entry<String, JsonNode> sink : members(root, "sinkTxn")) {
      transactions.put(sink.getKey(), number("sinkTxn." + sink.getKey(), sink.getValue()));
    }
    JsonNode lastBatch = root.path("fileSink").path("lastBatch");
    return new Facts(
        delta,
        kafka,
        transactions,
        lastBatch.isMissingNode()
            ? OptionalLong.empty()
            : OptionalLong.of(number("fileSink.lastBatch", lastBatch)));
  }

  private static Iterable<Map.Entry<String, JsonNode>> members(JsonNode root, String key) {
    JsonNode node = root.path(key);
    if (!node.isMissingNode() && !node.isObject()) {
      throw new IllegalArgumentException("\"" + key + "\" must be an object");
    }
    return node.properties();
  }

  private static KafkaFacts topic(String where, JsonNode node) {
    SortedMap<Integer, KafkaFacts.Range> partitions = new TreeMap<>();
    OptionalLong created = OptionalLong.empty();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      String path = where + "." + member.getKey();
      if (member.getKey().equals("createdMs")) {
        created = OptionalLong.of(number(path, member.getValue()));
      } else if (member.getKey().matches("[0-9]{1,9}")) {
        partitions.put(
            Integer.valueOf(member.getKey()),
            new KafkaFacts.Range(
                number(path + ".earliest", member.getValue().path("earliest")),
                number(path + ".latest", member.getValue().path("latest"))));
      } else {
        throw new IllegalArgumentException(
            "\"" + path + "\" must be a partition number or createdMs");
      }
    }
    return new KafkaFacts(partitions, created);
  }

  private static DeltaFacts table(String where, JsonNode node) {
    List<Long> missing = new ArrayList<>();
    for (JsonNode version : node.path("missing")) {
      missing.add(number(where + ".missing[]", version));
    }
    return new DeltaFacts(
        node.path("tableId").isTextual()
            ? Optional.of(node.path("tableId").asText())
            : Optional.empty(),
        node.has("earliest") ? number(where + ".earliest", node.get("earliest")) : 0,
        number(where + ".latest", node.path("latest")),
        missing);
  }

  private static long number(String where, JsonNode node) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new IllegalArgumentException("\"" + where + "\" must be a 64-bit integer");
    }
    return node.longValue();
  }
}
