package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.streammigrator.archival.PolicyResult;
import org.streammigrator.archival.PolicyRun;
import org.streammigrator.plan.ArchivePolicy;
import org.streammigrator.plan.PolicyReader;
import org.streammigrator.plan.Reading;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.PolicyText;

/** The policy file that {@code archive} works by. */
final class PolicyFile {
  private final Session session;
  private final String file;
  private final Map<String, String> variables;

  PolicyFile(Session session, String file, Map<String, String> variables) {
    this.session = requireNonNull(session, "session");
    this.file = requireNonNull(file, "file");
    this.variables = Map.copyOf(variables);
  }

  /** Runs the policy, prints what it did, and returns the exit code. */
  int run(OutputFormat output, boolean dryRun, boolean takeOver) throws IOException {
    ArchivePolicy policy = policy();
    session.usePlan(StorageOption.settings(policy.storage(), Map.of()));
    PolicyResult result =
        new PolicyRun(
                session.context().store(), session.context().clock(), policy, dryRun, takeOver)
            .run();
    session
        .out()
        .print(output.json() ? JsonOutput.pretty(result) + "\n" : PolicyText.render(result));
    if (result.isFruitless()) {
      return ExitCode.REFUSED;
    }
    return result.isIncomplete() ? ExitCode.STOPPED : ExitCode.DONE;
  }

  private ArchivePolicy policy() throws IOException {
    Path path = session.context().directory().resolve(file).toAbsolutePath().normalize();
    if (!Files.isRegularFile(path)) {
      throw new CliFailure(ExitCode.USAGE, "there is no policy file " + path);
    }
    String text;
    try {
      text = Files.readString(path, StandardCharsets.UTF_8);
    } catch (CharacterCodingException binary) {
      throw new CliFailure(
          ExitCode.USAGE, path + " is no policy file: it is not UTF-8 text", binary);
    }
    Reading<ArchivePolicy> reading =
        PolicyReader.read(text, path.getParent(), variables, session.context().environment());
    if (reading.value().isEmpty()) {
      StringBuilder problems =
          new StringBuilder(
              reading.problems().size() == 1
                  ? "the policy has a mistake"
                  : "the policy has " + reading.problems().size() + " mistakes");
      reading
          .problems()
          .forEach(each -> problems.append('\n').append(file).append(':').append(each));
      throw new CliFailure(ExitCode.USAGE, problems.toString());
    }
    return reading.value().get();
  }
}
