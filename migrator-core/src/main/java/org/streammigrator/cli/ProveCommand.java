package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.migration.Proof;
import org.streammigrator.migration.Prover;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProofText;
import org.streammigrator.storage.ReadOnlyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator prove}. */
@Command(
    name = "prove",
    description =
        "After the new query has run: proves that nothing is lost or repeated, or says what is off.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 proved, 2 invalid plan, 6 something is off, 7 not run yet.",
      "",
      "Example: migrator prove orders.yaml"
    })
final class ProveCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  @Option(
      names = "--stream",
      paramLabel = "GLOB",
      description = "Only the streams whose name matches.")
  private String stream;

  ProveCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    Prover prover =
        new Prover(
            new ReadOnlyStore(session.context().store()),
            file.journal(session, plan),
            session.jobs());
    List<Proof.StreamProof> streams = new ArrayList<>();
    try {
      for (StreamPlan chosen : PlanFile.chosen(plan, java.util.Optional.ofNullable(stream))) {
        streams.add(prover.prove(chosen));
      }
    } catch (InvalidJobSpecException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "the comparison cannot be run: " + invalid.getMessage(), invalid);
    } catch (JobFailedException failed) {
      throw new CliFailure(ExitCode.UNEXPECTED, failed.getMessage(), failed);
    }
    Proof proof = new Proof(plan.name(), streams);
    session.out().print(output.json() ? JsonOutput.pretty(proof) + "\n" : ProofText.render(proof));
    if (streams.stream().anyMatch(proved -> proved.waitingFor() == null && !proved.ok())) {
      return ExitCode.NOT_VERIFIED;
    }
    return proof.ok() ? ExitCode.DONE : ExitCode.WAITING;
  }
}
