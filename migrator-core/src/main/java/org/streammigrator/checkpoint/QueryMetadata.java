package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * The file {@code metadata}: the query's id, written once ({@code StreamMetadata} in Spark). Sinks
 * that remember batches remember them under this id.
 *
 * @param text the whole file
 * @param id the query id, a UUID
 */
public record QueryMetadata(String text, String id) {

  public QueryMetadata {
    requireNonNull(text, "text");
    requireNonNull(id, "id");
  }

  /**
   * Reads the file.
   *
   * @throws LogFormatException if it holds no id
   */
  public static QueryMetadata parse(byte[] bytes) throws LogFormatException {
    if (bytes.length == 0) {
      throw corrupt("the file has 0 bytes");
    }
    String text = LogText.decode(bytes, FindingCode.METADATA_CORRUPT);
    JsonNode id =
        Json.parseObject(text)
            .orElseThrow(() -> corrupt("it is not a JSON object: " + LogText.quote(text)))
            .path("id");
    if (!id.isTextual() || id.asText().isBlank()) {
      throw corrupt("it has no \"id\"");
    }
    if (!isUuid(id.asText())) {
      throw corrupt("its id is no UUID: " + LogText.quote(id.asText()));
    }
    return new QueryMetadata(text, id.asText());
  }

  /** As Spark's {@code StreamExecution} reads it, which takes what {@code java.util.UUID} takes. */
  private static boolean isUuid(String id) {
    try {
      return UUID.fromString(id) != null;
    } catch (IllegalArgumentException other) {
      return false;
    }
  }

  /** Makes the file for an id, as Spark writes it: no line end. */
  public static QueryMetadata of(String id) {
    return new QueryMetadata("{\"id\":\"" + id + "\"}", id);
  }

  private static LogFormatException corrupt(String message) {
    return new LogFormatException(FindingCode.METADATA_CORRUPT, message);
  }

  /** The file's bytes. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
