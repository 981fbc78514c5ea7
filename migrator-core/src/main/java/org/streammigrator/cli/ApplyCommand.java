package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamLine;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.migration.StreamReports;
import org.streammigrator.migration.Waves;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.rehearsal.SecretMask;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator apply}. */
@Command(
    name = "apply",
    description = "Carries a plan out. After a crash, run it again: it goes on where it stopped.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 invalid plan, 3 refused, 4 a saved plan is stale,",
      "5 stopped (run it again), 6 the batch that rebuilds the state of a replay did not leave",
      "it whole, or the new query failed while it was watched, 7 waiting: for another stream, for",
      "the new query of a backfill, for the batch of a replay whose output goes elsewhere, for the",
      "end of a run, for a cutover that is held, or for the batches of a new query.",
      "",
      "Example: migrator apply orders.yaml --stream 'orders_*' --report orders.html"
    })
final class ApplyCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Mixin private CopyFlags flags;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  @Mixin private ReportOption report;

  @Option(
      names = "--take-over",
      description =
          "Put out another operator that holds the plan or a target and surely has ended.")
  private boolean takeOver;

  @Option(
      names = "--pre-copy",
      description = {
        "While the old query still runs: copy its state ahead. Start nothing from that;",
        "the apply that follows the query's stop copies only what is new."
      })
  private boolean preCopy;

  @Option(
      names = "--final",
      description =
          "Strategy backfill: make the final run now, wherever the new query's watermark is.")
  private boolean isFinal;

  @Option(
      names = "--wave",
      paramLabel = "N",
      description = {
        "Only the streams of this wave, from 1: those that wait for none by `after` are the first,",
        "those that wait for streams of the first the second, and so on."
      })
  private Integer wave;

  @Option(
      names = "--hold",
      description = "Stop right before the cutover; an apply without it goes on.")
  private boolean hold;

  ApplyCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    List<StreamPlan> streams = ofWave(plan, PlanFile.chosen(plan, acceptance.streams()));
    List<StreamPlan> others =
        plan.streams().stream().filter(stream -> !streams.contains(stream)).toList();
    report.check(session, plan);
    Applying.Ended ended =
        new Applying(session, output, progress, flags, acceptance.accepted(), takeOver, manner())
            .carryOut(
                plan.name(),
                streams,
                others,
                plan.run(),
                file.journalPlace(session, plan),
                journal -> refuseStale(journal, streams),
                true);
    if (!report.isWanted()) {
      return ended.exitCode();
    }
    try {
      return report(plan, streams, ended);
    } catch (IOException unreadable) {
      throw report.failed("apply", ended.exitCode(), unreadable);
    }
  }

  private int report(Plan plan, List<StreamPlan> streams, Applying.Ended ended) throws IOException {
    Map<String, StreamPlan> byName = new HashMap<>();
    streams.forEach(stream -> byName.put(stream.name(), stream));
    List<StreamOutcome> outcomes = ended.outcomes();
    Journal journal = file.journal(session, plan);
    StreamReports reports =
        new StreamReports(new ReadOnlyStore(session.context().store()), journal, outcomes.size());
    List<StreamLine> lines = new ArrayList<>();
    for (StreamOutcome outcome : outcomes) {
      lines.add(reports.line(byName.get(outcome.name()), outcome, Failures::describe));
    }
    return report.write(
        new MigrationReport(
            "apply",
            plan.name(),
            file.name(),
            session.context().clock().instant(),
            journal.directory().toString(),
            Cli.VERSION,
            ended.exitCode(),
            lines),
        place ->
            reports.report(
                byName.get(lines.get(place).name()),
                lines.get(place),
                outcomes.get(place).findings()),
        SecretMask.of(file.secrets(plan), System.getenv()));
  }

  private List<StreamPlan> ofWave(Plan plan, List<StreamPlan> chosen) {
    if (wave == null) {
      return chosen;
    }
    List<List<StreamPlan>> waves = Waves.of(plan.streams());
    if (wave < 1 || wave > waves.size()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--wave "
              + wave
              + ": the plan has "
              + (waves.size() == 1 ? "one wave, 1" : "the waves 1 to " + waves.size()));
    }
    List<StreamPlan> streams = chosen.stream().filter(waves.get(wave - 1)::contains).toList();
    if (streams.isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE, "no stream of wave " + wave + " matches --stream; leave one of both out");
    }
    return streams;
  }

  private Applying.Manner manner() {
    if ((preCopy ? 1 : 0) + (isFinal ? 1 : 0) + (hold ? 1 : 0) > 1) {
      throw new CliFailure(
          ExitCode.USAGE, "--pre-copy, --final and --hold exclude each other: give one of them");
    }
    return preCopy
        ? Applying.Manner.AHEAD
        : hold ? Applying.Manner.HELD : isFinal ? Applying.Manner.FINAL : Applying.Manner.PLAIN;
  }

  /** A saved plan is carried out only on what it was made for. */
  private void refuseStale(Journal journal, List<StreamPlan> streams) throws IOException {
    Optional<SavedPlan> saved = file.saved(session);
    if (saved.isEmpty()) {
      return;
    }
    Store store = new ReadOnlyStore(session.context().store());
    StreamPlanner planner =
        new StreamPlanner(
            store, journal, acceptance.accepted(), Checksums.COMPARED_LATER, session.jobs());
    List<StreamItinerary> now = new ArrayList<>();
    for (StreamPlan stream : streams) {
      now.add(planner.survey(stream));
    }
    List<String> changes = SavedPlans.changes(session, file, saved.get(), store, journal, now);
    if (!changes.isEmpty()) {
      throw new CliFailure(
          ExitCode.STALE,
          "the saved plan no longer fits; nothing was written"
              + ShowCommand.staleText(changes).stripTrailing());
    }
  }
}
