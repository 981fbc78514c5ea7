package org.streammigrator.report;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import org.streammigrator.job.Instants;

/** Result records as JSON. */
public final class JsonOutput {
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(Instants.module())
          .disable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
          .serializationInclusion(JsonInclude.Include.ALWAYS)
          .build();

  private JsonOutput() {}

  /** A record over several lines, for people and programs. */
  public static String pretty(Object value) {
    try {
      return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("a result record does not turn into JSON", impossible);
    }
  }

  /** A record as a tree. */
  public static com.fasterxml.jackson.databind.JsonNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }
}
