package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code migrator show}. */
@Command(
    name = "show",
    description = "A saved plan as it was saved, and what has changed since, if that can be read.",
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Exit codes: 0 shown, stale or not; 2 no saved plan.",
      "",
      "Example: migrator show orders.plan.json"
    })
final class ShowCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private PlanFile file;

  ShowCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws Exception {
    SavedPlan saved =
        file.saved(session)
            .orElseThrow(
                () ->
                    new CliFailure(
                        ExitCode.USAGE,
                        file.name() + " is no saved plan; make one with plan --out FILE"));
    List<String> changes = null;
    String unknown = null;
    try {
      changes = changes(saved);
    } catch (IOException | RuntimeException unreadable) {
      unknown = Failures.describe(unreadable);
    }
    session.out().print(output.json() ? json(saved, changes) : text(saved, changes, unknown));
    return ExitCode.DONE;
  }

  private List<String> changes(SavedPlan saved) throws IOException {
    Store store = new ReadOnlyStore(session.context().store());
    Plan plan = file.plan(session);
    Journal journal = file.journal(session, plan);
    StreamPlanner planner =
        new StreamPlanner(
            store, journal, java.util.Set.of(), Checksums.COMPARED_LATER, session.jobs());
    List<StreamItinerary> now = new ArrayList<>();
    for (StreamPlan stream : StreamPlanner.ordered(plan.streams())) {
      now.add(planner.survey(stream));
    }
    return SavedPlans.changes(session, file, saved, store, journal, now);
  }

  private static String json(SavedPlan saved, List<String> changes) {
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("schema", "migrator/show/1");
    shown.put("stale", changes == null ? null : !changes.isEmpty());
    shown.put("changes", changes);
    shown.put("saved", saved);
    return JsonOutput.pretty(shown) + "\n";
  }

  private static String text(SavedPlan saved, List<String> changes, String unknown) {
    if (changes == null) {
      return saved.display() + "\nWhether it still fits cannot be told: " + unknown + "\n";
    }
    return saved.display() + staleText(changes);
  }

  /** What has changed, or that nothing has. */
  static String staleText(List<String> changes) {
    if (changes.isEmpty()) {
      return "\nIt still fits.\n";
    }
    StringBuilder text = new StringBuilder("\nIt is STALE, since it was saved this has changed:\n");
    changes.forEach(change -> text.append("  ").append(change).append('\n'));
    return text.append("Plan again, look at what it says now, and save that.\n").toString();
  }
}
