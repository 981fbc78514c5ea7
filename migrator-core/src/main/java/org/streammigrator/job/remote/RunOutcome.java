package org.streammigrator.job.remote;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.job.JobProcess;

/**
 * How a job ended that nobody waits for as for a process, as a file: {@code
 * {"schema":"migrator/job-outcome/1","exit":0,"result":{...},"errors":[]}}.
 *
 * @param ended the exit code, the result and the last messages
 */
public record RunOutcome(JobProcess.Ended ended) {
  private static final String SCHEMA = "migrator/job-outcome/1";
  private static final ObjectMapper JSON = new ObjectMapper();

  public RunOutcome {
    requireNonNull(ended, "ended");
  }

  /** The file's content. */
  public String json() {
    ObjectNode outcome = JSON.createObjectNode().put("schema", SCHEMA).put("exit", ended.exit());
    // As text: a result is read by its first characters.
    ended.result().ifPresent(result -> outcome.put("result", result));
    ArrayNode errors = outcome.putArray("errors");
    ended.errors().forEach(errors::add);
    return outcome.toString() + "\n";
  }

  /** What a file tells; empty if it is not whole, or no such file. */
  static Optional<RunOutcome> parse(String text) {
    if (!text.endsWith("\n")) {
      return Optional.empty();
    }
    try {
      JsonNode outcome = JSON.readTree(text);
      if (!outcome.path("schema").asText().equals(SCHEMA)
          || !outcome.path("exit").isIntegralNumber()) {
        return Optional.empty();
      }
      List<String> errors = new ArrayList<>();
      outcome.path("errors").forEach(line -> errors.add(line.asText()));
      return Optional.of(
          new RunOutcome(
              new JobProcess.Ended(
                  outcome.path("exit").asInt(),
                  Optional.of(outcome.path("result"))
                      .filter(JsonNode::isTextual)
                      .map(JsonNode::asText),
                  errors)));
    } catch (JsonProcessingException broken) {
      return Optional.empty();
    }
  }
}
