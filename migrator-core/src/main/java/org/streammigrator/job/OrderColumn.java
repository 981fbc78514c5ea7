package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

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
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(column, "order.column");
    direction = wrong.oneOf(direction, "order.direction", "asc", "desc");
    nulls =
        direction.equals("asc")
            ? wrong.oneOf(nulls, "order.nulls", "first", "last")
            : wrong.oneOf(nulls, "order.nulls", "last", "first");
    wrong.raise();
  }
}
