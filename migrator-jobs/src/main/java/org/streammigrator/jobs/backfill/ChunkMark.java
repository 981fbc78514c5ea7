package org.streammigrator.jobs.backfill;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What the commit of a chunk says of itself, as its {@code userMetadata} in the table's history.
 *
 * @param job the job's id
 * @param chunk the chunk's number
 * @param rows how many rows it merged
 * @param ends where the ranges of the sources ended, by their name: a job that is run again reads
 *     the same ranges
 */
record ChunkMark(String job, int chunk, long rows, Map<String, JsonNode> ends) {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String KEY = "migratorBackfill";

  ChunkMark {
    ends = Map.copyOf(ends);
  }

  /** Whether the ranges ended at the same places. */
  boolean hasEnds(Map<String, JsonNode> others) {
    // As texts: a number that was read is of another class than one that was counted.
    return texts(ends).equals(texts(others));
  }

  private static Map<String, String> texts(Map<String, JsonNode> ends) {
    Map<String, String> texts = new HashMap<>();
    ends.forEach((name, end) -> texts.put(name, end.toString()));
    return texts;
  }

  String json() {
    ObjectNode root = MAPPER.createObjectNode();
    ObjectNode mark = root.putObject(KEY).put("job", job).put("chunk", chunk).put("rows", rows);
    mark.putObject("to").setAll(ends);
    return root.toString();
  }

  /** The mark in a commit's {@code userMetadata}; empty if it is none. */
  static Optional<ChunkMark> of(String userMetadata) {
    if (userMetadata == null || !userMetadata.startsWith("{\"" + KEY)) {
      return Optional.empty();
    }
    try {
      JsonNode mark = MAPPER.readTree(userMetadata).path(KEY);
      Map<String, JsonNode> ends = new LinkedHashMap<>();
      mark.path("to").fields().forEachRemaining(end -> ends.put(end.getKey(), end.getValue()));
      return Optional.of(
          new ChunkMark(
              mark.path("job").asText(),
              mark.path("chunk").asInt(),
              mark.path("rows").asLong(),
              ends));
    } catch (JsonProcessingException foreign) {
      return Optional.empty();
    }
  }
}
