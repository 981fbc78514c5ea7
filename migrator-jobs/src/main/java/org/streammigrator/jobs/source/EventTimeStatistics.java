package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * What the statistics of a Delta table's files say of their event times.
 *
 * <p>Delta's protocol ("Per-file Statistics"): {@code maxValues} and {@code nullCount} stand under
 * the columns' physical names, and timestamps are cut to milliseconds.
 */
final class EventTimeStatistics {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String PHYSICAL_NAME = "delta.columnMapping.physicalName";
  private static final long REST_OF_MILLISECOND = 999_000;

  private final List<String> path;

  private EventTimeStatistics(List<String> path) {
    this.path = List.copyOf(path);
  }

  /**
   * The newest event time in a file.
   *
   * @param isKnown whether the statistics tell
   * @param newest no record is later; null if no record has an event time
   */
  record Newest(boolean isKnown, Instant newest) {
    static final Newest UNKNOWN = new Newest(false, null);

    /** Whether a record may be at or after an instant. */
    boolean mayReach(Instant first) {
      return !isKnown || newest != null && !newest.isBefore(first);
    }
  }

  /**
   * For an event time that is a column; for one that has to be computed nothing is ever known.
   *
   * @param schema the table's, with what column mapping writes into it
   * @param column as the spec has it
   */
  static EventTimeStatistics of(StructType schema, String column) {
    requireNonNull(schema, "schema");
    return new EventTimeStatistics(path(schema, column.strip()).orElse(List.of()));
  }

  private static Optional<List<String>> path(StructType schema, String column) {
    Optional<StructField> whole = field(schema, unquoted(column));
    if (whole.isPresent()) {
      return Optional.of(List.of(physical(whole.get())));
    }
    List<String> path = new ArrayList<>();
    StructType level = schema;
    for (String part : column.split("\\.", -1)) {
      Optional<StructField> field =
          level == null ? Optional.empty() : field(level, unquoted(part.strip()));
      if (field.isEmpty()) {
        return Optional.empty();
      }
      path.add(physical(field.get()));
      level = field.get().dataType() instanceof StructType struct ? struct : null;
    }
    return Optional.of(path);
  }

  private static String unquoted(String name) {
    boolean isQuoted = name.length() > 2 && name.startsWith("`") && name.endsWith("`");
    return isQuoted ? name.substring(1, name.length() - 1) : name;
  }

  private static Optional<StructField> field(StructType schema, String name) {
    for (StructField field : schema.fields()) {
      if (field.name().equalsIgnoreCase(name)) {
        return Optional.of(field);
      }
    }
    return Optional.empty();
  }

  private static String physical(StructField field) {
    return field.metadata().contains(PHYSICAL_NAME)
        ? field.metadata().getString(PHYSICAL_NAME)
        : field.name();
  }

  /**
   * Reads a file's statistics.
   *
   * @param statistics as they stand in the log; null if there are none
   */
  Newest read(String statistics) {
    if (path.isEmpty() || statistics == null) {
      return Newest.UNKNOWN;
    }
    JsonNode tree;
    try {
      tree = MAPPER.readTree(statistics);
    } catch (JsonProcessingException damaged) {
      return Newest.UNKNOWN;
    }
    JsonNode newest = at(tree.path("maxValues"));
    if (newest.isTextual()) {
      try {
        return new Newest(
            true, OffsetDateTime.parse(newest.asText()).toInstant().plusNanos(REST_OF_MILLISECOND));
      } catch (DateTimeException notATime) {
        return Newest.UNKNOWN;
      }
    }
    JsonNode nulls = at(tree.path("nullCount"));
    JsonNode records = tree.path("numRecords");
    boolean isEmpty =
        nulls.isIntegralNumber()
            && records.isIntegralNumber()
            && nulls.longValue() == records.longValue();
    return isEmpty ? new Newest(true, null) : Newest.UNKNOWN;
  }

  private JsonNode at(JsonNode tree) {
    JsonNode node = tree;
    for (String part : path) {
      node = node.path(part);
    }
    return node;
  }
}
