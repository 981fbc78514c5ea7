package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * A column by which rows of one key are put in order.
 *
 * @param column its name
 * @param direction {@code asc} or {@code desc} (the greatest comes first); null: asc
 * @param nulls where nulls are: {@code first} or {@code last}; null: as in Spark, first when
 *     ascending and last when descending
 */
@JsonInclude(NON_NULL)
public record OrderColumn(
    @JsonProperty(required = true) String column, String direction, String nulls) {

  public OrderColumn {
    if (column == null || column.isBlank()) {
      throw new IllegalArgumentException("order.column is missing");
    }
    direction = oneOf(direction, "order.direction", "asc", "desc");
    nulls =
        direction.equals("asc")
            ? oneOf(nulls, "order.nulls", "first", "last")
            : oneOf(nulls, "order.nulls", "last", "first");
  }

  private static String oneOf(String value, String field, String usual, String other) {
    String chosen = Objects.requireNonNullElse(value, usual);
    if (!chosen.equals(usual) && !chosen.equals(other)) {
      throw new IllegalArgumentException(
          field + ": '" + chosen + "' is neither " + usual + " nor " + other);
    }
    return chosen;
  }
}
