package org.streammigrator.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * Makes the JSON Schema of job specs from the records they are read into. What the schema refuses
 * the reader refuses, too, but for a null, which it takes for a key that is left out; it also finds
 * contradictions that a schema cannot express.
 */
public final class JobSchema {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final ObjectNode definitions = JSON.objectNode();

  private JobSchema() {}

  /** The schema, JSON Schema draft 2020-12. */
  public static JsonNode generate() {
    JobSchema schema = new JobSchema();
    ObjectNode root = JSON.objectNode();
    root.put("$schema", "https://json-schema.org/draft/2020-12/schema");
    root.put("title", "migrator job spec");
    root.put("description", "What migrator job run, and JobMain, read.");
    root.put("type", "object");
    ArrayNode jobs = root.putArray("oneOf");
    for (Map.Entry<String, Class<? extends JobSpec>> job : JobJson.jobs().entrySet()) {
      jobs.add(schema.job(job.getKey(), job.getValue()));
    }
    root.set("$defs", schema.definitions);
    return root;
  }

  private ObjectNode job(String name, Class<? extends JobSpec> type) {
    ObjectNode job = JSON.objectNode();
    job.put("title", "the job " + name);
    ObjectNode properties = job.putObject("properties");
    properties.putObject("schema").put("const", JobJson.JOB_SCHEMA);
    properties.putObject("job").put("const", name);
    ArrayNode runners = properties.putObject("runner").putArray("anyOf");
    runners.addObject().put("type", "string");
    runners.add(value(RunnerSpec.class));
    ArrayNode required = job.putArray("required").add("schema").add("job");
    components(type, properties, required);
    job.put("additionalProperties", false);
    return job;
  }

  private void components(Class<?> type, ObjectNode properties, ArrayNode required) {
    for (RecordComponent component : type.getRecordComponents()) {
      properties.set(component.getName(), value(component.getGenericType()));
      if (SpecChecker.isRequired(type, component)) {
        required.add(component.getName());
      }
    }
  }

  private ObjectNode value(Type type) {
    ObjectNode value = JSON.objectNode();
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      if (generic.getRawType() == List.class) {
        value.put("type", "array").set("items", value(arguments[0]));
      } else {
        value.put("type", "object").set("additionalProperties", value(arguments[1]));
      }
    } else if (type instanceof Class<?> plain && plain.isRecord()) {
      value.put("$ref", "#/$defs/" + define(plain));
    } else if (type == Instant.class) {
      value.put("type", "string").put("format", "date-time");
    } else if (type == String.class) {
      value.put("type", "string").put("pattern", "\\S");
    } else if (type == Boolean.class || type == boolean.class) {
      value.put("type", "boolean");
    } else if (List.of(Integer.class, int.class, Long.class, long.class).contains(type)) {
      value.put("type", "integer");
    }
    return value;
  }

  private String define(Class<?> type) {
    String name =
        type.getEnclosingClass() == null
            ? type.getSimpleName()
            : type.getEnclosingClass().getSimpleName() + "." + type.getSimpleName();
    if (!definitions.has(name)) {
      ObjectNode definition = definitions.putObject(name).put("type", "object");
      ObjectNode properties = definition.putObject("properties");
      ArrayNode required = JSON.arrayNode();
      components(type, properties, required);
      if (!required.isEmpty()) {
        definition.set("required", required);
      }
      definition.put("additionalProperties", false);
    }
    return name;
  }
}
