package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.Proof;
import org.streammigrator.migration.Prover;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamReports;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.rehearsal.SecretMask;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ProofText;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
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
      "Example: migrator prove orders.yaml --report orders.html --report orders.xml"
    })
final class ProveCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  @Mixin private ReportOption report;

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
    report.check(session, plan);
    Store store = new ReadOnlyStore(session.context().store());
    Journal journal = file.journal(session, plan);
    Prover prover = new Prover(store, journal, session.jobs());
    List<StreamPlan> chosen = PlanFile.chosen(plan, Optional.ofNullable(stream));
    List<Proof.StreamProof> streams = new ArrayList<>();
    try {
      for (StreamPlan each : chosen) {
        streams.add(prover.prove(each));
      }
    } catch (InvalidJobSpecException invalid) {
      throw new CliFailure(
          ExitCode.USAGE, "the comparison cannot be run: " + invalid.getMessage(), invalid);
    } catch (JobFailedException failed) {
      throw new CliFailure(ExitCode.UNEXPECTED, failed.getMessage(), failed);
    }
    Proof proof = new Proof(plan.name(), streams);
    session.out().print(output.json() ? JsonOutput.pretty(proof) + "\n" : ProofText.render(proof));
    return report.isWanted()
        ? report(plan, chosen, proof, new StreamReports(store, journal, chosen.size()), journal)
        : exitCode(proof);
  }

  private static int exitCode(Proof proof) {
    if (proof.streams().stream().anyMatch(proved -> proved.waitingFor() == null && !proved.ok())) {
      return ExitCode.NOT_VERIFIED;
    }
    return proof.ok() ? ExitCode.DONE : ExitCode.WAITING;
  }

  private int report(
      Plan plan, List<StreamPlan> streams, Proof proof, StreamReports reports, Journal journal) {
    List<StreamLine> lines = new ArrayList<>();
    for (int i = 0; i < streams.size(); i++) {
      lines.add(reports.line(streams.get(i), proof.streams().get(i)));
    }
    return report.write(
        new MigrationReport(
            "prove",
            plan.name(),
            file.name(),
            session.context().clock().instant(),
            journal.directory().toString(),
            Cli.VERSION,
            exitCode(proof),
            lines),
        place -> reports.report(streams.get(place), lines.get(place), proof.streams().get(place)),
        SecretMask.of(file.secrets(plan), System.getenv()));
  }
}
