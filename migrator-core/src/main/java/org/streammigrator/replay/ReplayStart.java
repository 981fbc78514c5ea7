package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;

/**
 * Where the replay of a source begins, and what is read again because of that.
 *
 * @param id the source's id in the old log
 * @param raw the offset as the offset log has it
 * @param from the same as JSON
 * @param files how many files are read again; null where there are none, or nobody counted
 * @param bytes their size in bytes; null likewise
 * @param records how many records are read again; null if nothing tells
 * @param neededRecords how many of them are in files that may hold a record which is needed; null
 *     if nothing tells
 * @param explanation why there, in a sentence
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@JsonPropertyOrder({"id", "from", "files", "bytes", "records", "neededRecords", "explanation"})
public record ReplayStart(
    String id,
    @JsonIgnore String raw,
    JsonNode from,
    Long files,
    Long bytes,
    Long records,
    Long neededRecords,
    String explanation) {
  public ReplayStart {
    requireNonNull(id, "id");
    requireNonNull(raw, "raw");
    requireNonNull(from, "from");
    requireNonNull(explanation, "explanation");
  }
}
