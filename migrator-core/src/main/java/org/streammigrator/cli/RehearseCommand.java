package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.RehearsePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.rehearsal.SecretMask;
import org.streammigrator.rehearsal.StreamRehearsal;
import org.streammigrator.storage.Location;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code migrator rehearse}. */
@Command(
    name = "rehearse",
    description = {
      "Applies a plan to a scratch copy and starts the new query there; nothing else is written.",
      "`rehearse.command` of the plan starts it, with MIGRATOR_CHECKPOINT and MIGRATOR_SINK set;",
      "without one the scratch copy is written and verified. Then it is removed."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 the first batch was as planned, 2 invalid plan, 3 refused, 5 stopped (run",
      "it again), 6 the query cannot be started or did not do what the plan says,",
      "130 interrupted (the query is ended).",
      "",
      "Example: migrator rehearse orders.yaml --batches 3 --keep"
    })
final class RehearseCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private ProgressOption progress;

  @Mixin private CopyFlags flags;

  @Mixin private PlanFile file;

  @Mixin private Acceptance acceptance;

  @Option(
      names = "--scratch",
      paramLabel = "URI",
      description =
          "Below which place the scratch copy goes, instead of what the plan says. Without either:"
              + " a fresh local directory.")
  private String scratch;

  @Option(
      names = "--batches",
      paramLabel = "N",
      description = "How many batches the new query has to commit, instead of what the plan says.")
  private Integer batches;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "How long it may take for them, such as 10m, instead of what the plan says.")
  private String timeout;

  @Option(names = "--keep", description = "Do not remove the scratch copy, whatever comes of it.")
  private boolean keep;

  RehearseCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    Plan plan = file.plan(session);
    List<StreamPlan> streams = StreamPlanner.ordered(PlanFile.chosen(plan, acceptance.streams()));
    if (batches != null && batches < 1) {
      throw new CliFailure(ExitCode.USAGE, "--batches " + batches + ": it must be 1 or more");
    }
    Location place = scratch == null ? null : session.location(scratch);
    Rehearsing rehearsing =
        new Rehearsing(
            session,
            plan,
            file.journal(session, plan),
            file.base(session),
            new Applying(
                session,
                output,
                progress,
                flags,
                acceptance.accepted(),
                false,
                Applying.Manner.REHEARSAL),
            SecretMask.of(file.secrets(plan), System.getenv()),
            keep);
    for (StreamPlan stream : streams) {
      rehearsing.check(stream, how(stream, place));
    }
    List<StreamRehearsal> ended = new ArrayList<>();
    for (StreamPlan stream : streams) {
      ended.add(rehearsing.rehearse(stream, how(stream, place)));
    }
    return new RehearsalOutput(session.out(), output.json()).result(plan.name(), ended);
  }

  /** How a stream is rehearsed: what the command line says, else the plan. */
  private RehearsePlan how(StreamPlan stream, Location place) {
    RehearsePlan how = stream.rehearse().orElse(RehearsePlan.NONE);
    return new RehearsePlan(
        how.command(),
        place == null ? how.scratch() : Optional.of(place),
        batches == null ? how.batches() : batches,
        timeout == null ? how.timeout() : DurationOption.parse("--timeout", timeout));
  }
}
