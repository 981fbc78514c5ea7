package org.streammigrator.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.PlanReport;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.Structure;
import org.streammigrator.migration.Structures;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.PlanComments;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WorkspacePlan;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.PlanText;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Writes saved plans, and compares them with the world. */
final class SavedPlans {
  private SavedPlans() {}

  /** What is another now than when the plan was saved; empty if it fits. */
  static List<String> changes(
      Session session,
      PlanFile source,
      SavedPlan saved,
      Store store,
      Journal journal,
      List<StreamItinerary> now)
      throws IOException {
    List<String> changes = new ArrayList<>(source.newMatches(session));
    changes.addAll(saved.changes(structures(store, journal, now)));
    return changes;
  }

  /** Writes a plan with what it was resolved to; an equal file that is there is kept. */
  static void write(Session session, Location file, PlanFile source, Plan plan, PlanReport report)
      throws IOException {
    refuseSecrets(plan);
    Store store = session.context().store();
    SavedPlan saved =
        new SavedPlan(
            plan.name(),
            withoutComments(source.text(session)),
            source.base(session).toString(),
            source.variables(session),
            source.templateRows(),
            structures(store, source.journal(session, plan), report.streams()),
            JsonOutput.tree(report),
            PlanText.render(report));
    byte[] bytes = (JsonOutput.pretty(saved) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      store.write(file, Content.of(bytes), Optional.empty());
    } catch (FileAlreadyExistsException there) {
      if (store.stat(file).filter(entry -> entry.isFile()).isEmpty()
          || !Arrays.equals(store.readAll(file), bytes)) {
        throw new CliFailure(
            ExitCode.USAGE,
            file + " is there already and says something else; name another file",
            there);
      }
    }
  }

  /** A comment can hold anything, a secret too, and says nothing to this program. */
  private static String withoutComments(String text) {
    return PlanComments.emptied(text)
        .orElseThrow(
            () ->
                new CliFailure(
                    ExitCode.USAGE,
                    "the plan's comments cannot be told from the rest of it, and a saved plan holds"
                        + " none; remove them and save it again"));
  }

  private static List<Structure> structures(
      Store store, Journal journal, List<StreamItinerary> streams) throws IOException {
    Structures structures = new Structures(store, journal);
    List<Structure> all = new ArrayList<>();
    for (StreamItinerary stream : streams) {
      all.add(structures.of(stream));
    }
    return all;
  }

  /** A value that is a secret and stands in the plan itself would stand in the file, too. */
  private static void refuseSecrets(Plan plan) {
    List<SecretText> all = new ArrayList<>();
    plan.storage().values().forEach(settings -> all.addAll(settings.values()));
    for (WorkspacePlan workspace : plan.workspaces().values()) {
      workspace.token().ifPresent(all::add);
      workspace.clientSecret().ifPresent(all::add);
    }
    for (StreamPlan stream : plan.streams()) {
      stream.sources().stream().map(SourcePlan::options).map(Map::values).forEach(all::addAll);
      stream.sink().stream().map(SinkPlan::options).map(Map::values).forEach(all::addAll);
      all.addAll(stream.runner().conf().values());
    }
    if (all.stream().anyMatch(secret -> secret.toString().equals("***"))) {
      throw new CliFailure(
          ExitCode.USAGE,
          "the plan holds a secret itself, which the saved plan would hold, too; write it as"
              + " ${env:NAME} and give its value in the environment");
    }
  }
}
