package org.streammigrator.cli;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.SavedPlan;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.PlanProblem;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.PlanReading;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.TemplateExpansion;
import org.streammigrator.plan.TemplateRow;
import org.streammigrator.plan.TemplateRows;
import org.streammigrator.plan.WorkspacePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.RealPaths;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The plan file that a command works on, with the options that go with it. */
final class PlanFile {
  @Parameters(paramLabel = "PLAN", description = "The plan file (YAML), or a saved plan.")
  private String file;

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "A value for $${var:NAME} in the plan; may be repeated.")
  private Map<String, String> variables = new LinkedHashMap<>();

  private final Set<String> fromEnvironment = new LinkedHashSet<>();
  private Optional<SavedPlan> saved;
  private List<List<TemplateRow>> rows = List.of();

  /** A plan file that was named otherwise. */
  static PlanFile of(String file, Map<String, String> variables) {
    PlanFile plan = new PlanFile();
    plan.file = file;
    plan.variables = variables;
    return plan;
  }

  /** The file's name as given. */
  String name() {
    return file;
  }

  /** Reads the file and reports everything that is wrong with it. */
  PlanReading reading(Session session) throws IOException {
    return PlanReader.read(
        text(session), base(session), variables(session), name -> environment(session, name));
  }

  private Optional<String> environment(Session session, String name) {
    Optional<String> value = session.context().environment().apply(name);
    value.ifPresent(fromEnvironment::add);
    return value;
  }

  /**
   * What of the plan is not to be shown to anyone: the values that it took from the environment,
   * and those of settings that are called as secrets.
   */
  Set<String> secrets(Plan plan) {
    Set<String> secrets = new LinkedHashSet<>(fromEnvironment);
    List<SecretText> settings = new ArrayList<>();
    plan.storage().values().forEach(place -> settings.addAll(place.values()));
    for (WorkspacePlan workspace : plan.workspaces().values()) {
      workspace.token().ifPresent(settings::add);
      workspace.clientSecret().ifPresent(settings::add);
    }
    for (StreamPlan stream : plan.streams()) {
      stream.sources().forEach(source -> settings.addAll(source.options().values()));
      stream.sink().forEach(sink -> settings.addAll(sink.options().values()));
    }
    settings.stream()
        .filter(setting -> !setting.toString().equals(setting.value()))
        .forEach(setting -> secrets.add(setting.value()));
    return secrets;
  }

  /** The saved plan that the file is; empty if it is a plan file. */
  Optional<SavedPlan> saved(Session session) throws IOException {
    if (saved == null) {
      try {
        saved = SavedPlan.read(fileText(session));
      } catch (IllegalArgumentException unusable) {
        throw new CliFailure(ExitCode.USAGE, file + ": " + unusable.getMessage(), unusable);
      }
      if (saved.isPresent() && !variables.isEmpty()) {
        throw new CliFailure(
            ExitCode.USAGE, "--var does nothing with a saved plan, which has its variables");
      }
    }
    return saved;
  }

  /** The plan's text, be it saved. */
  String text(Session session) throws IOException {
    Optional<SavedPlan> known = saved(session);
    return known.isPresent() ? known.get().text() : fileText(session);
  }

  /** The directory that relative places stand in. */
  Path base(Session session) throws IOException {
    Optional<SavedPlan> known = saved(session);
    return known.isPresent() ? Path.of(known.get().directory()) : path(session).getParent();
  }

  /** The values of the plan's variables. */
  Map<String, String> variables(Session session) throws IOException {
    return saved(session).map(SavedPlan::variables).orElse(variables);
  }

  private String fileText(Session session) throws IOException {
    Path path = path(session);
    if (!Files.exists(path)) {
      throw new CliFailure(ExitCode.USAGE, "there is no plan file " + path);
    }
    if (!Files.isRegularFile(path)) {
      throw new CliFailure(ExitCode.USAGE, path + " is no plan file but a directory");
    }
    try {
      return Files.readString(path, StandardCharsets.UTF_8);
    } catch (CharacterCodingException binary) {
      throw new CliFailure(ExitCode.USAGE, path + " is no plan file: it is not UTF-8 text", binary);
    }
  }

  /**
   * The plan, with its templates filled in: from the world, or, if it is a saved one, with what
   * they were filled with then. Fails with all its problems if it is not valid.
   */
  Plan plan(Session session) throws IOException {
    Plan written = valid(reading(session));
    session.usePlan(StorageOption.settings(written.storage(), written.workspaces()));
    session.useWorkspaces(written.workspaces());
    if (written.templates().isEmpty()) {
      return written;
    }
    Optional<SavedPlan> known = saved(session);
    TemplateExpansion expansion =
        known.isPresent() ? pinned(written, known.get()) : filledNow(session, written);
    rows = expansion.rows();
    return valid(expansion.reading());
  }

  private Plan valid(PlanReading reading) {
    return reading
        .plan()
        .orElseThrow(() -> new CliFailure(ExitCode.USAGE, problems(reading.problems())));
  }

  private static TemplateExpansion filledNow(Session session, Plan plan) throws IOException {
    TemplateRows world = new TemplateRows(new ReadOnlyStore(session.context().store()));
    return TemplateExpansion.of(
        plan, template -> world.of(template.foreach(), template.directory()));
  }

  private TemplateExpansion pinned(Plan plan, SavedPlan then) throws IOException {
    if (then.templates().size() != plan.templates().size()) {
      throw new CliFailure(ExitCode.USAGE, file + ": the saved plan is not complete");
    }
    return TemplateExpansion.of(
        plan, template -> then.templates().get(plan.templates().indexOf(template)));
  }

  /** What the plan's templates were filled with when it was read, a list of rows each. */
  List<List<TemplateRow>> templateRows() {
    return rows;
  }

  /**
   * What patterns of a saved plan's templates match now and did not then. A CSV file counts like
   * the plan file: what became of it does not matter. What no longer matches is found where its
   * stream is surveyed.
   */
  List<String> newMatches(Session session) throws IOException {
    SavedPlan then = saved(session).orElseThrow();
    if (then.templates().isEmpty()) {
      return List.of();
    }
    Plan plan = valid(reading(session));
    TemplateRows world = new TemplateRows(new ReadOnlyStore(session.context().store()));
    return then.newMatches(
        TemplateExpansion.of(
                plan,
                template ->
                    template.foreach().glob().isPresent()
                        ? world.of(template.foreach(), template.directory())
                        : then.templates().get(plan.templates().indexOf(template)))
            .rows());
  }

  /** All problems, a line each, with file, line and column. */
  String problems(List<PlanProblem> problems) {
    StringBuilder text =
        new StringBuilder(
            problems.size() == 1
                ? "the plan has a mistake"
                : "the plan has " + problems.size() + " mistakes");
    problems.forEach(problem -> text.append('\n').append(file).append(':').append(problem));
    return text.toString();
  }

  /** The streams whose names match a pattern with {@code *} and {@code ?}; all without one. */
  static List<StreamPlan> chosen(Plan plan, Optional<String> glob) {
    if (glob.isEmpty()) {
      return plan.streams();
    }
    StringBuilder regex = new StringBuilder();
    for (char c : glob.get().toCharArray()) {
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    List<StreamPlan> chosen =
        plan.streams().stream().filter(s -> s.name().matches(regex.toString())).toList();
    if (chosen.isEmpty()) {
      TreeSet<String> names = new TreeSet<>();
      plan.streams().forEach(stream -> names.add(stream.name()));
      throw new CliFailure(
          ExitCode.USAGE,
          "no stream of the plan matches " + glob.get() + "; it has " + String.join(", ", names));
    }
    return chosen;
  }

  /** The plan's journal, beside the plan file unless the plan says where. */
  Journal journal(Session session, Plan plan) throws IOException {
    return Journal.open(
        session.context().store(), journalPlace(session, plan), session.context().clock());
  }

  /** Where the plan's journal is. */
  Location journalPlace(Session session, Plan plan) throws IOException {
    Path base = base(session);
    Location directory =
        plan.journal()
            .map(place -> place.child(fileName(plan.name())))
            .orElseGet(() -> Location.of(base.resolve(fileName(plan.name()) + ".journal")));
    refuseInside(directory, plan, file);
    return directory;
  }

  /** A name that stands for one file, whatever the plan is called. */
  private static String fileName(String name) {
    String portable = name.replaceAll("[/\\p{Cntrl}]", "_");
    return portable.matches("\\.+") ? "_" + portable : portable;
  }

  /** A journal does not go into a checkpoint. */
  static void refuseInside(Location journal, Plan plan, String file) throws IOException {
    refuseInside(
        journal,
        plan,
        file,
        "the journal",
        "keep the plan file outside of it, or name another place with `journal`");
  }

  /**
   * What is no part of a checkpoint does not go into one.
   *
   * @param what it is
   * @param remedy what to do
   */
  static void refuseInside(Location place, Plan plan, String file, String what, String remedy)
      throws IOException {
    for (StreamPlan stream : plan.streams()) {
      refuseInside(place, stream.checkpoint().from(), file, what, remedy);
      if (stream.checkpoint().to().isPresent()) {
        refuseInside(place, stream.checkpoint().to().get(), file, what, remedy);
      }
    }
  }

  private static void refuseInside(
      Location place, Location checkpoint, String file, String what, String remedy)
      throws IOException {
    Location real = RealPaths.resolve(checkpoint);
    Location realPlace = RealPaths.resolve(place);
    if (realPlace.equals(real) || realPlace.isInside(real)) {
      throw new CliFailure(
          ExitCode.USAGE,
          file
              + ": "
              + what
              + " would be written to "
              + place
              + ", inside of the checkpoint "
              + checkpoint
              + "; "
              + remedy);
    }
  }

  private Path path(Session session) {
    return session.context().directory().resolve(file).toAbsolutePath().normalize();
  }
}
