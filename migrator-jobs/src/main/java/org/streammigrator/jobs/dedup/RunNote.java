package org.streammigrator.jobs.dedup;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/**
 * What a run writes into its commit's information, so that a later one can say what it did.
 *
 * @param job {@value #JOB} or {@value #UNDO}
 * @param id under which the table records the run
 * @param keys keys that had rows too many
 * @param tiedKeys keys whose survivor the declared order did not decide
 * @param rows rows that it removed, or put back
 * @param files data files that held rows that it removed
 * @param versionBefore the version it looked at
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RunNote(
    @JsonProperty("migrator") String job,
    String id,
    long keys,
    long tiedKeys,
    long rows,
    long files,
    long versionBefore) {
  static final String JOB = "dedup";
  static final String UNDO = "dedup undo";

  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** Reads a note; empty if it is none. */
  static Optional<RunNote> read(String json) {
    try {
      return json == null ? Optional.empty() : Optional.of(MAPPER.readValue(json, RunNote.class));
    } catch (JsonProcessingException another) {
      return Optional.empty();
    }
  }

  String json() {
    try {
      return MAPPER.writeValueAsString(this);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
