package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Store;

/**
 * Where an apply stands, by its journal.
 *
 * @param plan the plan's name
 * @param journal where the journal is
 * @param streams the streams of the plan
 */
@JsonPropertyOrder({"schema", "plan", "journal", "streams"})
public record StatusReport(String plan, String journal, List<StreamStatus> streams) {

  public StatusReport {
    requireNonNull(plan, "plan");
    requireNonNull(journal, "journal");
    streams = List.copyOf(streams);
  }

  /**
   * Where a stream stands.
   *
   * @param name the stream's name
   * @param state {@code not-started}, {@code part-way} or {@code done}
   * @param stepsDone the kinds of the steps that the last attempt finished
   * @param lastActivity when the journal last spoke of it, an ISO instant; null if never
   * @param next what happens next
   */
  @JsonPropertyOrder({"name", "state", "stepsDone", "lastActivity", "next"})
  public record StreamStatus(
      String name, String state, List<String> stepsDone, String lastActivity, String next) {}

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/status/1";
  }

  /** Reads the journal and looks whether the targets are there. */
  public static StatusReport of(Store store, Plan plan, Journal journal) throws IOException {
    List<JsonNode> entries = journal.entries();
    Published published = new Published(store, journal);
    List<StreamStatus> streams = new ArrayList<>();
    for (StreamPlan stream : plan.streams()) {
      List<String> steps = new ArrayList<>();
      String last = null;
      for (JsonNode entry : entries) {
        if (!entry.path("stream").asText().equals(stream.name())) {
          continue;
        }
        last = entry.path("at").asText();
        if (entry.path("event").asText().equals("resolved")) {
          steps.clear();
        } else if (entry.path("event").asText().equals("step-done")) {
          steps.add(entry.path("step").asText());
        }
      }
      boolean done = published.manifest(stream).isPresent();
      streams.add(
          new StreamStatus(
              stream.name(),
              done ? "done" : last == null ? "not-started" : "part-way",
              List.copyOf(steps),
              last,
              done
                  ? "start the query from "
                      + stream.checkpoint().to().orElseThrow()
                      + ", then prove"
                  : last == null
                      ? "apply the plan"
                      : "apply the plan again; it goes on where it stopped"));
    }
    return new StatusReport(plan.name(), journal.directory().toString(), streams);
  }
}
