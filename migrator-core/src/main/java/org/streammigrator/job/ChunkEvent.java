package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;

/**
 * A chunk of a job that is done, as one line of JSON: {@code
 * {"event":"chunk","job":"backfill",...}}.
 *
 * @param job the job's name
 * @param number 0 and up
 * @param chunks how many there are
 * @param status {@code done} or {@code done-before}
 * @param rows in it; null if nobody knows any more
 * @param version the commit; null likewise
 */
public record ChunkEvent(
    String job, int number, int chunks, String status, Long rows, Long version) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  public ChunkEvent {
    requireNonNull(job, "job");
    requireNonNull(status, "status");
  }

  /** The line. */
  public String json() {
    return event().toString();
  }

  /** The event as JSON. */
  public ObjectNode event() {
    return MAPPER
        .createObjectNode()
        .put("event", "chunk")
        .put("job", job)
        .put("number", number)
        .put("chunks", chunks)
        .put("status", status)
        .put("rows", rows)
        .put("version", version);
  }

  /** What a line tells; empty if it is no such event. */
  public static Optional<ChunkEvent> parse(String line) {
    if (!line.startsWith("{\"event\":\"chunk\"")) {
      return Optional.empty();
    }
    try {
      JsonNode event = MAPPER.readTree(line);
      return Optional.of(
          new ChunkEvent(
              event.path("job").asText(),
              event.path("number").asInt(),
              event.path("chunks").asInt(),
              event.path("status").asText(),
              event.path("rows").isIntegralNumber() ? (Long) event.path("rows").asLong() : null,
              event.path("version").isIntegralNumber()
                  ? (Long) event.path("version").asLong()
                  : null));
    } catch (JsonProcessingException other) {
      return Optional.empty();
    }
  }

  /** The event in words. */
  public String text() {
    return "%s: chunk %d of %d %s%s%s"
        .formatted(
            job,
            number + 1,
            chunks,
            status.equals("done") ? "is done" : "was done by an earlier run",
            rows == null ? "" : ", " + rows + (rows == 1 ? " row" : " rows"),
            version == null ? "" : ", version " + version);
  }
}
