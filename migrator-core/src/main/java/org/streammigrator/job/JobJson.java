package org.streammigrator.job;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneId;
import java.util.stream.Collectors;

/** Job specs and results as JSON. Reading is strict: an unknown key is an error. */
public final class JobJson {
  private static final String JOB_SCHEMA = "migrator/job/1";
  private static final String RESULT_SCHEMA = "migrator/job-result/1";
  private static final String VALIDATE = "validate";
  private static final JsonMapper MAPPER = mapper();

  private JobJson() {}

  /**
   * Reads the spec of a validate job. A {@code runner} is allowed, and ignored.
   *
   * @throws InvalidJobSpecException if it is no such spec
   */
  public static ValidateSpec readValidateSpec(String json) {
    ObjectNode spec = object(json, JOB_SCHEMA);
    spec.remove("runner");
    ValidateSpec result = convert(spec, ValidateSpec.class);
    try {
      ZoneId.of(result.timeZone());
    } catch (DateTimeException e) {
      throw new InvalidJobSpecException("timeZone: " + e.getMessage(), e);
    }
    return result;
  }

  /** A validate job's spec as {@link #readValidateSpec} reads it. */
  public static String write(ValidateSpec spec) {
    return text(JOB_SCHEMA, spec);
  }

  /**
   * Reads the result of a validate job.
   *
   * @throws JobFailedException if it is no such result
   */
  public static ValidateResult readValidateResult(String json) {
    try {
      return convert(object(json, RESULT_SCHEMA), ValidateResult.class);
    } catch (InvalidJobSpecException e) {
      throw new JobFailedException("the job wrote no proper result: " + e.getMessage(), e);
    }
  }

  /** A validate job's result as {@link #readValidateResult} reads it. */
  public static String write(ValidateResult result) {
    return text(RESULT_SCHEMA, result);
  }

  private static String text(String schema, Object value) {
    ObjectNode node = MAPPER.createObjectNode().put("schema", schema).put("job", VALIDATE);
    node.setAll(MAPPER.<ObjectNode>valueToTree(value));
    return node.toString();
  }

  private static ObjectNode object(String json, String schema) {
    JsonNode node;
    try {
      node = MAPPER.readTree(json);
    } catch (JsonProcessingException e) {
      throw new InvalidJobSpecException(
          "no JSON: %s (line %d, column %d)"
              .formatted(
                  e.getOriginalMessage(),
                  e.getLocation().getLineNr(),
                  e.getLocation().getColumnNr()),
          e);
    }
    if (!(node instanceof ObjectNode object)) {
      throw new InvalidJobSpecException("no JSON object");
    }
    requireValue(object, "schema", schema);
    requireValue(object, "job", VALIDATE);
    object.remove("schema");
    object.remove("job");
    return object;
  }

  private static void requireValue(ObjectNode object, String field, String expected) {
    JsonNode value = object.path(field);
    if (!expected.equals(value.asText())) {
      throw new InvalidJobSpecException(
          "%s: expected \"%s\", found %s"
              .formatted(field, expected, value.isMissingNode() ? "nothing" : value));
    }
  }

  private static <T> T convert(ObjectNode object, Class<T> type) {
    try {
      return MAPPER.treeToValue(object, type);
    } catch (UnrecognizedPropertyException e) {
      throw new InvalidJobSpecException(
          "%s: unknown key; known are %s"
              .formatted(
                  path(e),
                  e.getKnownPropertyIds().stream()
                      .map(Object::toString)
                      .sorted()
                      .collect(Collectors.joining(", "))),
          e);
    } catch (ValueInstantiationException e) {
      throw new InvalidJobSpecException(e.getCause().getMessage(), e);
    } catch (MismatchedInputException e) {
      throw new InvalidJobSpecException(
          path(e) + ": " + e.getOriginalMessage().replaceAll(" \\(for .*", ""), e);
    } catch (JsonProcessingException e) {
      throw new InvalidJobSpecException(e.getOriginalMessage(), e);
    }
  }

  private static String path(JsonMappingException e) {
    return e.getPath().stream()
        .map(
            part -> part.getFieldName() == null ? "[" + part.getIndex() + "]" : part.getFieldName())
        .collect(Collectors.joining("."));
  }

  private static JsonMapper mapper() {
    SimpleModule instants = new SimpleModule();
    instants.addSerializer(
        new StdSerializer<>(Instant.class) {
          @Override
          public void serialize(Instant value, JsonGenerator generator, SerializerProvider provider)
              throws IOException {
            generator.writeString(value.toString());
          }
        });
    instants.addDeserializer(
        Instant.class,
        new JsonDeserializer<>() {
          @Override
          public Instant deserialize(JsonParser parser, DeserializationContext context)
              throws IOException {
            String text = parser.getText();
            try {
              return Instant.parse(text);
            } catch (DateTimeException e) {
              throw context.weirdStringException(
                  text, Instant.class, "no instant such as 2026-03-27T10:00:00Z");
            }
          }
        });
    return JsonMapper.builder()
        .addModule(instants)
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .build();
  }
}
