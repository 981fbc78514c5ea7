package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.migration.ForwardPlan;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.Rollback;
import org.streammigrator.migration.RollbackOutcome;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.FindingText;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator rollback}. */
@Command(
    name = "rollback",
    description = {
      "Removes what a plan wrote, finished or half done; the old checkpoint stays as it is.",
      "With --forward: a new checkpoint for the OLD code where the new query stands."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 done, 2 invalid plan, 3 refused, 5 stopped (run it again).",
      "",
      "Example: migrator rollback orders.yaml"
    })
final class RollbackCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Mixin private CopyFlags flags;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  @Option(
      names = "--forward",
      description = "Once the new query has run: the old code goes on where the new one stands.")
  private boolean forward;

  @Option(
      names = "--to",
      paramLabel = "URI",
      description =
          "With --forward: where the checkpoint for the old code goes; <old>_forward if left out.")
  private String to;

  @Option(
      names = "--take-over",
      description =
          "Put out another operator that holds the plan or a target and surely has ended.")
  private boolean takeOver;

  RollbackCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    List<StreamPlan> streams = PlanFile.chosen(plan, acceptance.streams());
    Location place = file.journalPlace(session, plan);
    if (to != null && (!forward || streams.size() > 1)) {
      throw new CliFailure(
          ExitCode.USAGE, "--to goes with --forward and one stream; choose it with --stream");
    }
    try (Operator operator = operator(place, plan)) {
      if (forward) {
        return forward(plan, streams, place);
      }
      Journal journal = file.journal(session, plan);
      return report(
          plan,
          new Rollback(
                  session.context().store(),
                  journal,
                  operator,
                  acceptance.taken(),
                  session.jobControl(false))
              .run(streams));
    }
  }

  private Operator operator(Location place, Plan plan) throws IOException {
    return Operator.begin(
        session.context().store(), place, session.context().clock(), plan.name(), takeOver);
  }

  private int forward(Plan plan, List<StreamPlan> streams, Location place) throws IOException {
    Store store = session.context().store();
    List<StreamPlan> back = new ArrayList<>();
    for (StreamPlan stream : streams) {
      Location from = stream.checkpoint().from();
      Location target =
          to != null
              ? session.location(to)
              : from.parent().orElse(from).child(from.name() + "_forward");
      try {
        boolean oldState = new CheckpointReader(store).read(from).stateful();
        back.add(ForwardPlan.of(stream, target, oldState));
      } catch (IllegalArgumentException noWay) {
        throw new CliFailure(ExitCode.REFUSED, noWay.getMessage(), noWay);
      }
    }
    return new Applying(
            session,
            output,
            progress,
            flags,
            acceptance.accepted(),
            takeOver,
            Applying.Manner.PLAIN)
        .run(plan.name() + " forward", back, List.of(), plan.run(), place.child("forward"));
  }

  private int report(Plan plan, List<RollbackOutcome> outcomes) {
    int code = exitCode(outcomes);
    for (RollbackOutcome outcome : outcomes) {
      outcome
          .failure()
          .ifPresent(
              failure ->
                  session
                      .err()
                      .println("migrator: " + outcome.name() + ": " + Failures.describe(failure)));
    }
    if (output.json()) {
      Map<String, Object> report = new LinkedHashMap<>();
      report.put("schema", "migrator/rollback/1");
      report.put("plan", plan.name());
      report.put("ok", code == ExitCode.DONE);
      report.put("streams", outcomes);
      session.out().println(JsonOutput.pretty(report));
      return code;
    }
    for (RollbackOutcome outcome : outcomes) {
      session.out().print(FindingText.render(outcome.findings(), outcome.name() + "  "));
      session
          .out()
          .println(outcome.name() + "  " + outcome.status().label() + ": " + outcome.message());
      outcome.kept().forEach(kept -> session.out().println(outcome.name() + "  kept: " + kept));
    }
    return code;
  }

  private static int exitCode(List<RollbackOutcome> outcomes) {
    if (outcomes.stream().anyMatch(o -> o.status() == RollbackOutcome.Status.STOPPED)) {
      return ExitCode.STOPPED;
    }
    return outcomes.stream().anyMatch(o -> o.status() == RollbackOutcome.Status.REFUSED)
        ? ExitCode.REFUSED
        : ExitCode.DONE;
  }
}
