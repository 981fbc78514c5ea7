package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a template is filled with once.
 *
 * @param of where it comes from, for messages: a matched path, or the line of a CSV file
 * @param values what {@code ${name}} stands for, by name
 */
@JsonPropertyOrder({"of", "values"})
public record TemplateRow(String of, Map<String, String> values) {
  public TemplateRow {
    requireNonNull(of, "of");
    values = Collections.unmodifiableMap(new TreeMap<>(values));
  }
}
