package org.streammigrator.facts;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads facts from a JSON file, for verdicts without access to brokers and tables. */
public final class FactsFile {
  /** A fact that is said twice, or what follows the object, would be overlooked otherwise. */
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();

  private static final List<String> KEYS =
      List.of(
          "kafka",
          "eventhubs",
          "delta",
          "iceberg",
          "hudi",
          "kinesis",
          "files",
          "offsetMap",
          "sinkTxn",
          "fileSink");

  private static final String PARTITION = "0|[1-9][0-9]{0,8}";

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
      throw new IllegalArgumentException(place(notJson) + notJson.getOriginalMessage());
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

  /** Line and column of an error; none for texts nested too deep or numbers that are too long. */
  private static String place(JsonProcessingException notJson) {
    JsonLocation location = notJson.getLocation();
    return location == null
        ? ""
        : "line " + location.getLineNr() + ", column " + location.getColumnNr() + ": ";
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
              .map(FactsFile::snapshotId)
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
    root.get("offsetMap").ifPresent(map -> facts.offsetMap(offsetMap(map)));
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
      if (member.name().equals("createdMs") || member.name().equals("topicId")) {
        continue;
      }
      if (!member.name().matches(PARTITION)) {
        throw member.wrong("a partition number, createdMs or topicId");
      }
      member.only(List.of("earliest", "latest", "oldestRecordMs"));
      long earliest = member.require("earliest").atLeast(0).number();
      // Event Hubs tell the last event of a partition, which an empty one has not got.
      long latest = member.require("latest").atLeast(earliest - 1).number();
      partitions.put(
          Integer.valueOf(member.name()),
          new KafkaFacts.Range(earliest, latest, member.number("oldestRecordMs")));
    }
    return new KafkaFacts(
        partitions, topic.number("createdMs"), topic.get("topicId").map(FactsMember::text), false);
  }

  /** A number, or an object as it stands in Iceberg's own metadata file. */
  private static long snapshotId(FactsMember snapshot) {
    return snapshot.node().isObject()
        ? snapshot.require("snapshot-id").number()
        : snapshot.number();
  }

  private static OffsetMap offsetMap(FactsMember map) {
    SortedMap<String, SortedMap<Integer, NavigableMap<Long, Long>>> topics = new TreeMap<>();
    for (FactsMember topic : map.members()) {
      SortedMap<Integer, NavigableMap<Long, Long>> partitions = new TreeMap<>();
      for (FactsMember partition : topic.members()) {
        if (!partition.name().matches(PARTITION)) {
          throw partition.wrong("a partition number");
        }
        NavigableMap<Long, Long> pairs = new TreeMap<>();
        for (FactsMember pair : partition.elements()) {
          List<FactsMember> ends = pair.elements();
          if (ends.size() != 2) {
            throw pair.wrong("a pair of offsets: the old cluster's and the new one's");
          }
          long there = ends.get(1).atLeast(0).number();
          Long before = pairs.put(ends.get(0).atLeast(0).number(), there);
          if (before != null && before != there) {
            throw pair.wrong("no other place of an offset that has the place " + before);
          }
        }
        partitions.put(Integer.valueOf(partition.name()), pairs);
      }
      topics.put(topic.name(), partitions);
    }
    return new OffsetMap(topics);
  }

  private static DeltaFacts table(FactsMember table) {
    table.only(List.of("tableId", "earliest", "latest", "missing"));
    long latest = table.require("latest").atLeast(0).number();
    long earliest =
        table.get("earliest").map(member -> member.atLeast(0).atMost(latest).number()).orElse(0L);
    return new DeltaFacts(
        table.get("tableId").map(FactsMember::text),
        earliest,
        latest,
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
