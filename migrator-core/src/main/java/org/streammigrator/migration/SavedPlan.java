package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.streammigrator.plan.TemplateRow;

/**
 * A plan as it was saved: its text, what it was resolved to, and what the dry run said. Equal plans
 * of an equal world are saved as equal bytes. It holds references to secrets, never their values:
 * the text is the plan file's own without what its comments said, and {@code ${env:NAME}} stands in
 * it as it is.
 *
 * @param plan the plan's name
 * @param text the plan file's text
 * @param directory the plan file's directory, an absolute path, which relative places stand in
 * @param variables the values of {@code ${var:name}}
 * @param templates what the plan's templates were filled with, a list of rows each; empty if it has
 *     none
 * @param structures what has to be as it was, a stream each
 * @param report what {@code plan -o json} said
 * @param display what {@code plan} said
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonPropertyOrder({
  "schema",
  "plan",
  "directory",
  "variables",
  "text",
  "templates",
  "streams",
  "report",
  "display"
})
public record SavedPlan(
    String plan,
    String text,
    String directory,
    Map<String, String> variables,
    @JsonInclude(JsonInclude.Include.NON_EMPTY) List<List<TemplateRow>> templates,
    @JsonProperty("streams") List<Structure> structures,
    JsonNode report,
    String display) {
  /** The schema that is written and the only one that is read. */
  public static final String SCHEMA = "migrator/saved-plan/1";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  public SavedPlan {
    requireNonNull(plan, "plan");
    requireNonNull(text, "text");
    requireNonNull(directory, "directory");
    requireNonNull(report, "report");
    requireNonNull(display, "display");
    variables = new TreeMap<>(variables == null ? Map.of() : variables);
    templates = templates == null ? List.of() : templates.stream().map(List::copyOf).toList();
    structures = List.copyOf(structures);
  }

  /** The version of this record's JSON. */
  @JsonProperty(access = JsonProperty.Access.READ_ONLY)
  public String schema() {
    return SCHEMA;
  }

  /**
   * Reads a saved plan.
   *
   * @return empty if the text is none: not JSON, or of another schema
   * @throws IllegalArgumentException if it says that it is one, and is not
   */
  public static Optional<SavedPlan> read(String text) {
    if (!text.stripLeading().startsWith("{")) {
      return Optional.empty();
    }
    JsonNode json;
    try {
      json = MAPPER.readTree(text);
    } catch (JsonProcessingException notJson) {
      if (text.contains("\"" + SCHEMA + "\"")) {
        throw new IllegalArgumentException(
            "the saved plan is cut short or was edited: " + notJson.getOriginalMessage(), notJson);
      }
      return Optional.empty();
    }
    String schema = json.path("schema").asText();
    if (!schema.startsWith("migrator/saved-plan/")) {
      return Optional.empty();
    }
    if (!schema.equals(SCHEMA)) {
      throw new IllegalArgumentException(
          "it is of the schema " + schema + ", and this version reads " + SCHEMA);
    }
    try {
      return Optional.of(MAPPER.treeToValue(json, SavedPlan.class));
    } catch (JsonProcessingException | RuntimeException incomplete) {
      throw new IllegalArgumentException("the saved plan is not complete", incomplete);
    }
  }

  /** What its templates would be filled with now and were not when it was saved, a line each. */
  public List<String> newMatches(List<List<TemplateRow>> now) {
    List<String> changes = new ArrayList<>();
    for (int i = 0; i < templates.size(); i++) {
      Set<TemplateRow> then = new HashSet<>(templates.get(i));
      now.get(i).stream()
          .filter(row -> !then.contains(row))
          .forEach(row -> changes.add(row.of() + ": a template matches it, and did not then"));
    }
    return changes;
  }

  /** What is another now than when it was saved, a line each; only of the streams given. */
  public List<String> changes(List<Structure> now) {
    List<String> changes = new ArrayList<>();
    for (Structure stream : now) {
      Optional<Structure> then =
          structures.stream().filter(s -> s.name().equals(stream.name())).findFirst();
      if (then.isEmpty()) {
        changes.add(stream.name() + ": it was not in the plan when it was saved");
      } else {
        changes.addAll(then.get().changesTo(stream));
      }
    }
    return changes;
  }
}
