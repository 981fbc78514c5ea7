package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * A column by which rows of one key are put in order.
 *
 * @param direction {@code desc} (the greatest comes first; the default) or {@code asc}
 * @param nulls {@code last} (the default) or {@code first}
 */
@JsonInclude(NON_NULL)
public record OrderColumn(
    @JsonProperty(required = true) String column, String direction, String nulls) {

  public OrderColumn {
    if (column == null || column.isBlank()) {
      throw new IllegalArgumentException("order: a column is missing");
    }
    direction = oneOf(direction, column + ".direction", "desc", "asc");
    nulls = oneOf(nulls, column + ".nulls", "last", "first");
  }

  private static String oneOf(String value, String field, String usual, String other) {
    String chosen = Objects.requireNonNullElse(value, usual);
    if (!chosen.equals(usual) && !chosen.equals(other)) {
      throw new IllegalArgumentException(
          "order: %s: '%s' is neither %s nor %s".formatted(field, chosen, usual, other));
    }
    return chosen;
  }
}
