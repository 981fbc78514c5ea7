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
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads facts from a JSON file, for verdicts without access to brokers and tables. */
public final class FactsFile {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private static final List<String> KEYS =
      List.of(
          "kafka",
          "eventhubs",
          "delta",
          "iceberg",
          "hudi",
          "kinesis",
          "files",
          "sinkTxn",
          "fileSink");

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
          "line 1, column 1: it must hold a JSON object with the keys " + String.join(", ", KEYS));
    }
    try {
      return facts(new FactsMember(List.of(), root));
    } catch (FactsMember.WrongMember wrong) {
      throw new IllegalArgumentException(place(text, wrong.path()) + wrong.getMessage());
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

  private static Facts facts(FactsMember root) {
    root.only(KEYS);
    Facts.Builder facts = new Facts.Builder();
    for (FactsMember topic : members(root, "kafka")) {
      facts.kafka(topic.name(), topic(topic));
    }
    for (FactsMember hub : members(root, "eventhubs")) {
      facts.eventhubs(hub.name(), topic(hub));
    }
    for (FactsMember table : members(root, "delta")) {
      facts.delta(table.name(), table(table));
    }
    for (FactsMember table : members(root, "iceberg")) {
      facts.icebergSnapshots(
          table.name(),
          table.only(List.of("snapshots")).require("snapshots").elements().stream()
              .map(FactsMember::number)
              .toList());
    }
    for (FactsMember table : members(root, "hudi")) {
      FactsMember instant = table.only(List.of("earliestInstant")).require("earliestInstant");
      if (!instant.text().matches("[0-9]+")) {
        throw instant.wrong("an instant, such as 20260327100000000");
      }
      facts.hudiEarliestInstant(table.name(), instant.text());
    }
    for (FactsMember stream : members(root, "kinesis")) {
      facts.kinesis(stream.name(), stream(stream));
    }
    for (FactsMember source : members(root, "files")) {
      facts.inputFiles(source.name(), files(source));
    }
    for (FactsMember sink : members(root, "sinkTxn")) {
      facts.sinkTxn(sink.name(), sink.number());
    }
    root.get("fileSink")
        .flatMap(sink -> sink.only(List.of("lastBatch")).get("lastBatch"))
        .ifPresent(batch -> facts.fileSinkLastBatch(batch.number()));
    return facts.build();
  }

  private static List<FactsMember> members(FactsMember root, String key) {
    return root.get(key).map(FactsMember::members).orElse(List.of());
  }

  private static KafkaFacts topic(FactsMember topic) {
    SortedMap<Integer, KafkaFacts.Range> partitions = new TreeMap<>();
    for (FactsMember member : topic.members()) {
      if (member.name().equals("createdMs")) {
        continue;
      }
      if (!member.name().matches("[0-9]{1,9}")) {
        throw member.wrong("a partition number or createdMs");
      }
      member.only(List.of("earliest", "latest"));
      partitions.put(
          Integer.valueOf(member.name()),
          new KafkaFacts.Range(
              member.require("earliest").number(), member.require("latest").number()));
    }
    return new KafkaFacts(partitions, topic.number("createdMs"));
  }

  private static DeltaFacts table(FactsMember table) {
    table.only(List.of("tableId", "earliest", "latest", "missing"));
    return new DeltaFacts(
        table.get("tableId").map(FactsMember::text),
        table.number("earliest").orElse(0),
        table.require("latest").number(),
        table
            .get("missing")
            .map(missing -> missing.elements().stream().map(FactsMember::number).toList())
            .orElse(List.of()));
  }

  private static KinesisFacts stream(FactsMember stream) {
    SortedMap<String, Optional<String>> parents = new TreeMap<>();
    for (FactsMember shard : stream.only(List.of("shards")).require("shards").elements()) {
      shard.only(List.of("id", "parent"));
      parents.put(
          shard.require("id").text(),
          shard.get("parent").filter(parent -> !parent.node().isNull()).map(FactsMember::text));
    }
    return new KinesisFacts(parents);
  }

  private static List<InputFile> files(FactsMember source) {
    List<InputFile> files = new ArrayList<>();
    for (FactsMember file : source.only(List.of("listing")).require("listing").elements()) {
      file.only(List.of("path", "modifiedMs"));
      files.add(new InputFile(file.require("path").text(), file.require("modifiedMs").number()));
    }
    return files;
  }
}
