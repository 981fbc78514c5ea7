package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.plan.PlanProblem;
import org.streammigrator.plan.PlanReading;
import org.streammigrator.report.JsonOutput;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code migrator validate}. */
@Command(
    name = "validate",
    description =
        "The plan file alone: syntax, schema, contradictions. Reads nothing but the file.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example: migrator validate plans/relocate.yaml"})
final class ValidateCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  ValidateCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  /** The result. */
  @JsonPropertyOrder({"schema", "file", "valid", "problems"})
  record Result(String file, List<PlanProblem> problems) {
    @JsonProperty
    String schema() {
      return "migrator/validate/1";
    }

    @JsonProperty
    boolean valid() {
      return problems.isEmpty();
    }
  }

  @Override
  public Integer call() throws Exception {
    PlanReading reading = file.reading(session);
    if (output.json()) {
      session.out().println(JsonOutput.pretty(new Result(file.name(), reading.problems())));
    } else if (reading.problems().isEmpty()) {
      session.out().println(file.name() + " is valid");
    } else {
      session.err().println("migrator: " + file.problems(reading.problems()));
    }
    return reading.problems().isEmpty() ? ExitCode.DONE : ExitCode.USAGE;
  }
}
