package org.streammigrator.facts;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What Delta records of a data file (PROTOCOL.md, "Per-file Statistics").
 *
 * @param records how many records it has, deleted ones included; empty if that is not recorded
 * @param newest the largest value of a column of timestamps, cut to milliseconds; empty if that is
 *     not recorded, for whatever reason
 */
record FileStatistics(OptionalLong records, Optional<Instant> newest) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /**
   * Reads the text of {@code add.stats}.
   *
   * @param text as it stands; empty if there is none
   * @param column the column's physical names, from the outermost struct on; empty for one that has
   *     no statistics
   */
  static FileStatistics parse(String text, Optional<List<String>> column) {
    JsonNode statistics;
    try {
      statistics = MAPPER.readTree(text.isEmpty() ? "{}" : text);
    } catch (JsonProcessingException damaged) {
      return new FileStatistics(OptionalLong.empty(), Optional.empty());
    }
    JsonNode records = statistics.path("numRecords");
    JsonNode value = statistics.path("maxValues");
    for (String name : column.orElse(List.of())) {
      value = value.path(name);
    }
    return new FileStatistics(
        records.canConvertToLong() && records.isIntegralNumber()
            ? OptionalLong.of(records.longValue())
            : OptionalLong.empty(),
        value.isTextual() ? instant(value.asText()) : Optional.empty());
  }

  private static Optional<Instant> instant(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException noInstant) {
      return Optional.empty();
    }
  }

  /** Whether a value from an instant on may be in the file. */
  boolean mayReach(Instant earliest) {
    return newest.isEmpty() || !newest.get().plusMillis(1).isBefore(earliest);
  }
}
