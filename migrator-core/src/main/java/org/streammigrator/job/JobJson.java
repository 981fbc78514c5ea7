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
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Job specs and results as JSON. Reading is strict: an unknown key is an error. */
public final class JobJson {
  static final String JOB_SCHEMA = "migrator/job/1";
  private static final String RESULT_SCHEMA = "migrator/job-result/1";
  private static final Map<String, Class<? extends JobSpec>> JOBS =
      new TreeMap<>(
          Map.of(
              BackfillSpec.JOB, BackfillSpec.class,
              CopySpec.JOB, CopySpec.class,
              DedupSpec.JOB, DedupSpec.class,
              ValidateSpec.JOB, ValidateSpec.class));
  private static final JsonMapper MAPPER = mapper();

  private JobJson() {}

  /** What each job's spec is read into, by its name. */
  static Map<String, Class<? extends JobSpec>> jobs() {
    return Collections.unmodifiableMap(JOBS);
  }

  /**
   * Reads a job spec, with its runner; without one it is {@code local}.
   *
   * @throws InvalidJobSpecException if it is none; the message says all that is wrong
   */
  public static JobFile readSpec(String json) {
    ObjectNode spec = parse(json);
    List<String> problems = new ArrayList<>();
    requireValue(spec, "schema", List.of(JOB_SCHEMA), problems);
    requireValue(spec, "job", List.copyOf(JOBS.keySet()), problems);
    Class<? extends JobSpec> type = JOBS.get(spec.path("job").asText());
    spec.remove("schema");
    spec.remove("job");
    JsonNode runner = runner(spec.remove("runner"));
    if (type != null) {
      problems.addAll(SpecChecker.problems(spec, type.asSubclass(Record.class)));
    }
    SpecChecker.problems(runner, RunnerSpec.class)
        .forEach(problem -> problems.add("runner." + problem));
    if (!problems.isEmpty()) {
      throw new InvalidJobSpecException(problems);
    }
    JobSpec read = convert(spec, type);
    return new JobFile(read, convert(runner, RunnerSpec.class), write(read));
  }

  private static JsonNode runner(JsonNode runner) {
    if (runner == null || runner.isNull()) {
      return MAPPER.createObjectNode().put("kind", RunnerSpec.LOCAL);
    }
    return runner.isTextual() ? MAPPER.createObjectNode().put("kind", runner.asText()) : runner;
  }

  /** A spec as {@link #readSpec} reads it. */
  public static String write(JobSpec spec) {
    return text(JOB_SCHEMA, spec.job(), spec);
  }

  /**
   * Reads the result of a job.
   *
   * @param job the job's name
   * @throws JobFailedException if it is no such result
   */
  public static <T extends JobResult> T readResult(String json, String job, Class<T> type) {
    return result(json, job, type);
  }

  /** Whether a text is the result of some job. */
  static boolean isResult(String json) {
    return json.startsWith("{\"schema\":\"" + RESULT_SCHEMA + "\"");
  }

  /** A result as {@link #readResult} reads it. */
  public static String write(JobResult result) {
    return text(RESULT_SCHEMA, result.job(), result);
  }

  private static String text(String schema, String job, Object value) {
    ObjectNode node = MAPPER.createObjectNode().put("schema", schema).put("job", job);
    node.setAll(MAPPER.<ObjectNode>valueToTree(value));
    return node.toString();
  }

  private static <T> T result(String json, String job, Class<T> type) {
    try {
      ObjectNode result = parse(json);
      List<String> problems = new ArrayList<>();
      requireValue(result, "schema", List.of(RESULT_SCHEMA), problems);
      requireValue(result, "job", List.of(job), problems);
      if (!problems.isEmpty()) {
        throw new InvalidJobSpecException(problems);
      }
      result.remove("schema");
      result.remove("job");
      return convert(result, type);
    } catch (InvalidJobSpecException e) {
      throw new JobFailedException("the job wrote no proper result: " + e.getMessage(), e);
    }
  }

  private static ObjectNode parse(String json) {
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
    return object;
  }

  private static void requireValue(
      ObjectNode object, String field, List<String> expected, List<String> problems) {
    JsonNode value = object.path(field);
    if (!value.isTextual() || !expected.contains(value.asText())) {
      problems.add(
          "%s: expected \"%s\", found %s"
              .formatted(
                  field,
                  String.join("\" or \"", expected),
                  value.isMissingNode() ? "nothing" : value));
    }
  }

  private static <T> T convert(JsonNode object, Class<T> type) {
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
