package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The records of a bounded range. Nothing of them has been read yet.
 *
 * @param name what the spec calls the source
 * @param rows the records, of which those that the spec does not need may be left out
 * @param from where the range begins; null: at the source's beginning
 * @param to where it ends, also where the spec left that open
 * @param records how many there are, if that is known without reading them
 * @param files how many files they are in, where they are in files
 * @param bytes in those files
 * @param eventTimes of all records in the range; empty where the spec names no event time
 */
public record SourceRead(
    String name,
    Dataset<Row> rows,
    JsonNode from,
    JsonNode to,
    OptionalLong records,
    OptionalLong files,
    OptionalLong bytes,
    Optional<EventTimes> eventTimes) {
  public SourceRead {
    requireNonNull(name, "name");
    requireNonNull(rows, "rows");
    requireNonNull(to, "to");
    requireNonNull(records, "records");
    requireNonNull(files, "files");
    requireNonNull(bytes, "bytes");
    requireNonNull(eventTimes, "eventTimes");
  }
}
