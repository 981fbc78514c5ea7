package org.streammigrator.facts;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
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
          "line 1, column 1: it must hold a JSON object with keys such as kafka, delta, sinkTxn");
    }
    try {
      return facts(root);
    } catch (WrongMember wrong) {
      throw new IllegalArgumentException(place(text, wrong.path) + wrong.getMessage());
    }
  }

  /** A member that is not as it has to be. */
  private static final class WrongMember extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient List<String> path;

    private WrongMember(List<String> path, String message) {
      super("\"" + String.join(".", path) + "\" must be " + message);
      this.path = path;
    }
  }

  /** Line and column of a member, or of the nearest one above it that is there. */
  private static String place(String text, List<String> path) {
    String place = "line 1, column 1: ";
    try (JsonParser parser = MAPPER.createParser(text)) {
      String wanted = "/" + String.join("/", path);
      int best = -1;
      while (parser.nextToken() != null) {
        String here = "/" + String.join("/", names(parser.getParsingContext()));
        if (parser.currentToken() != JsonToken.FIELD_NAME
            && here.length() > best
            && (wanted.equals(here) || wanted.startsWith(here + "/"))) {
          best = here.length();
          JsonLocation location = parser.currentTokenLocation();
          place = "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
        }
      }
    } catch (IOException parsedBefore) {
      throw new UncheckedIOException(parsedBefore);
    }
    return place;
  }

  private static List<String> names(JsonStreamContext context) {
    List<String> names = new ArrayList<>();
    for (JsonStreamContext c = context; c != null; c = c.getParent()) {
      if (c.getCurrentName() != null) {
        names.add(0, c.getCurrentName());
      }
    }
    return names;
  }

  private static Facts facts(JsonNode root) {
    Map<String, KafkaFacts> kafka = topics(root, "kafka");
    Map<String, DeltaFacts> delta = new HashMap<>();
    for (Map.Entry<String, JsonNode> table : members(root, List.of("delta"))) {
      delta.put(table.getKey(), table(List.of("delta", table.getKey()), table.getValue()));
    }
    Map<String, Long> transactions = new HashMap<>();
    for (Map.Entry<String, JsonNode> sink : members(root, List.of("sinkTxn"))) {
      transactions.put(sink.getKey(), number(List.of("sinkTxn", sink.getKey()), sink.getValue()));
    }
    members(root, List.of("fileSink"));
    JsonNode lastBatch = root.path("fileSink").path("lastBatch");
    return new Facts(
        delta,
        kafka,
        topics(root, "eventhubs"),
        transactions,
        lastBatch.isMissingNode()
            ? OptionalLong.empty()
            : OptionalLong.of(number(List.of("fileSink", "lastBatch"), lastBatch)));
  }

  private static Map<String, KafkaFacts> topics(JsonNode root, String key) {
    Map<String, KafkaFacts> topics = new HashMap<>();
    for (Map.Entry<String, JsonNode> topic : members(root, List.of(key))) {
      topics.put(topic.getKey(), topic(List.of(key, topic.getKey()), topic.getValue()));
    }
    return topics;
  }

  private static Iterable<Map.Entry<String, JsonNode>> members(JsonNode root, List<String> path) {
    JsonNode node = root.path(path.get(path.size() - 1));
    if (!node.isMissingNode() && !node.isObject()) {
      throw new WrongMember(path, "an object");
    }
    return node.properties();
  }

  private static KafkaFacts topic(List<String> where, JsonNode node) {
    if (!node.isObject()) {
      throw new WrongMember(where, "an object of partitions");
    }
    SortedMap<Integer, KafkaFacts.Range> partitions = new TreeMap<>();
    OptionalLong created = OptionalLong.empty();
    for (Map.Entry<String, JsonNode> member : node.properties()) {
      List<String> path = below(where, member.getKey());
      if (member.getKey().equals("createdMs")) {
        created = OptionalLong.of(number(path, member.getValue()));
      } else if (member.getKey().matches("[0-9]{1,9}")) {
        partitions.put(
            Integer.valueOf(member.getKey()),
            new KafkaFacts.Range(
                number(below(path, "earliest"), member.getValue().path("earliest")),
                number(below(path, "latest"), member.getValue().path("latest"))));
      } else {
        throw new WrongMember(path, "a partition number or createdMs");
      }
    }
    return new KafkaFacts(partitions, created);
  }

  private static DeltaFacts table(List<String> where, JsonNode node) {
    List<Long> missing = new ArrayList<>();
    for (JsonNode version : node.path("missing")) {
      missing.add(number(below(where, "missing"), version));
    }
    return new DeltaFacts(
        node.path("tableId").isTextual()
            ? Optional.of(node.path("tableId").asText())
            : Optional.empty(),
        node.has("earliest") ? number(below(where, "earliest"), node.get("earliest")) : 0,
        number(below(where, "latest"), node.path("latest")),
        missing);
  }

  private static List<String> below(List<String> path, String name) {
    List<String> longer = new ArrayList<>(path);
    longer.add(name);
    return longer;
  }

  private static long number(List<String> where, JsonNode node) {
    if (!node.isIntegralNumber() || !node.canConvertToLong()) {
      throw new WrongMember(where, "a 64-bit integer");
    }
    return node.longValue();
  }
}
