package org.streammigrator.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.UnrecognizedPropertyException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;

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
              RepartitionSpec.JOB, RepartitionSpec.class,
              StateSpec.JOB, StateSpec.class,
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
    if (problems.isEmpty()) {
      valueProblems(spec, type, problems);
      valueProblems(runner, RunnerSpec.class, problems);
    }
    if (!problems.isEmpty()) {
      throw new InvalidJobSpecException(problems);
    }
    JobSpec read = convert(spec, type);
    return new JobFile(read, convert(runner, RunnerSpec.class), write(read));
  }

  /**
   * Adds what is wrong with the values of a record; of one whose parts are wrong only what is wrong
   * with those, without which it cannot be made.
   */
  private static void valueProblems(JsonNode node, Class<?> type, List<String> problems) {
    int before = problems.size();
    for (RecordComponent component : type.getRecordComponents()) {
      JsonNode value = node.path(component.getName());
      if (value.isObject() && component.getType().isRecord()) {
        valueProblems(value, component.getType(), problems);
      } else if (value.isArray()
          && component.getGenericType() instanceof ParameterizedType list
          && list.getActualTypeArguments()[0] instanceof Class<?> element
          && element.isRecord()) {
        value.forEach(part -> valueProblems(part, element, problems));
      }
    }
    if (problems.size() == before) {
      try {
        convert(node, type);
      } catch (InvalidJobSpecException wrong) {
        problems.addAll(wrong.getMessage().lines().toList());
      }
    }
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

  /**
   * What a job says that refuses to do anything.
   *
   * @return the findings that forbid it; empty if the text is another result
   */
  static List<Finding> readRefusal(String json) {
    List<Finding> findings = new ArrayList<>();
    for (JsonNode finding : parse(json).path("findings")) {
      findings.add(
          new Finding(
              FindingCode.valueOf(finding.path("code").asText()),
              Severity.valueOf(finding.path("severity").asText().toUpperCase(Locale.ROOT)),
              finding.path("subject").asText(),
              finding.path("message").asText(),
              finding.path("remedy").asText()));
    }
    return findings;
  }

  /** Any record of this package as a tree. */
  public static ObjectNode tree(Object value) {
    return MAPPER.valueToTree(value);
  }

  /**
   * A record out of its tree.
   *
   * @throws InvalidJobSpecException if the tree is none of it
   */
  public static <T> T value(JsonNode tree, Class<T> type) {
    return convert(tree, type);
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
    return JsonMapper.builder()
        .addModule(Instants.module())
        .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
        .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
        .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
        .build();
  }
}
