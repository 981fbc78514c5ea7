package org.streammigrator.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.CopyProgress.Phase;

/**
 * Progress as JSON, one object a line: {@code {"event":"progress","phase":"copy",...}}, and back.
 */
public final class ProgressEvents {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String EVENT = "progress";

  private final CopyProgress progress;
  private String phase = "";
  private long files;
  private long bytes;
  private long retries;

  /** Tells a listener what another process has told as events. */
  public ProgressEvents(CopyProgress progress) {
    this.progress = progress;
  }

  /** An event; what is not known is null. */
  public static ObjectNode event(Progress progress) {
    ObjectNode event =
        MAPPER
            .createObjectNode()
            .put("event", EVENT)
            .put("phase", progress.phase().label())
            .put("files", progress.files())
            .put("filesTotal", progress.filesTotal())
            .put("bytes", progress.bytes())
            .put("bytesTotal", progress.bytesTotal())
            .put("retries", progress.retries())
            .put("elapsedMs", progress.elapsedMillis());
    event.put("bytesPerSecond", boxed(progress.bytesPerSecond()));
    event.put("secondsLeft", boxed(progress.secondsLeft()));
    return event;
  }

  private static Long boxed(java.util.OptionalLong value) {
    return value.isPresent() ? (Long) value.getAsLong() : null;
  }

  /** Takes a line; false if it is no such event, and then nothing is told. */
  public boolean take(String line) {
    Optional<JsonNode> event = parse(line);
    if (event.isEmpty()) {
      return false;
    }
    JsonNode told = event.get();
    String named = told.path("phase").asText();
    long done = told.path("files").asLong();
    if (!named.equals(phase) || done < files) {
      phase = named;
      files = 0;
      bytes = 0;
      progress.began(
          phaseOf(named), told.path("filesTotal").asLong(), told.path("bytesTotal").asLong());
    }
    progress.moved(told.path("bytes").asLong() - bytes);
    bytes = told.path("bytes").asLong();
    if (done > files) {
      progress.done(done - files);
      files = done;
    }
    for (; retries < told.path("retries").asLong(); retries++) {
      progress.retried();
    }
    return true;
  }

  private static Phase phaseOf(String label) {
    for (Phase phase : Phase.values()) {
      if (phase.label().equals(label)) {
        return phase;
      }
    }
    return Phase.COPY;
  }

  private static Optional<JsonNode> parse(String line) {
    if (!line.startsWith("{\"event\":\"" + EVENT + "\"")) {
      return Optional.empty();
    }
    try {
      return Optional.of(MAPPER.readTree(line));
    } catch (JsonProcessingException other) {
      return Optional.empty();
    }
  }
}
