package org.streammigrator.plan;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Reads plan files. Nothing but the given text is read.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>All problems are reported together, each with its line and column; there is a plan exactly
 *       if there are none. Text that is not YAML gives one problem.
 *   <li>A problem with a value that came from {@code defaults} or through an alias points at where
 *       the value stands.
 *   <li>No value of {@code ${env:NAME}} is in any problem. Settings that may be secrets ({@link
 *       SecretText}) show the reference only.
 *   <li>Time and memory are bounded by the length of the text.
 * </ul>
 */
public final class PlanReader {
  private PlanReader() {}

  /**
   * Reads a plan.
   *
   * @param text the plan file's text
   * @param directory the plan file's own directory, which relative paths stand in
   * @param variables values of {@code ${var:name}}
   * @param environment values of {@code ${env:NAME}}
   */
  public static PlanReading read(
      String text,
      Path directory,
      Map<String, String> variables,
      Function<String, Optional<String>> environment) {
    Context context = new Context(directory, variables, environment);
    Problems problems = new Problems();
    Optional<Plan> plan =
        YamlParser.parse(text, problems).flatMap(root -> plan(root, context, problems));
    return reading(plan, problems);
  }

  /**
   * Reads a file of changes, as the check command takes it.
   *
   * @param text the file's text
   * @return the changes, present exactly if there are no problems
   */
  public static Reading<ChangesFile> readChanges(String text) {
    Problems problems = new Problems();
    Optional<ChangesFile> file =
        YamlParser.parse(text, problems)
            .flatMap(
                root -> {
                  new ChangeChecks(problems).run(root);
                  return Binder.whole(Path.of("/"), problems).bind(ChangesFile.class, root);
                });
    return new Reading<>(file.filter(read -> problems.isEmpty()), problems.sorted());
  }

  /**
   * Reads a file of storage settings.
   *
   * @param text the file's text
   * @param environment values of {@code ${env:NAME}}
   * @return the settings, present exactly if there are no problems
   */
  public static Reading<StorageFile> readStorage(
      String text, Function<String, Optional<String>> environment) {
    Problems problems = new Problems();
    Context context = new Context(Path.of("/"), Map.of(), environment);
    Optional<StorageFile> file =
        YamlParser.parse(text, problems)
            .flatMap(
                root -> {
                  YamlMap filled =
                      context.interpolator(problems).map(root, Interpolator.Names.NONE);
                  new StorageChecks(problems).run(filled);
                  return Binder.whole(Path.of("/"), problems).bind(StorageFile.class, filled);
                });
    return new Reading<>(file.filter(read -> problems.isEmpty()), problems.sorted());
  }

  private static PlanReading reading(Optional<Plan> plan, Problems problems) {
    return new PlanReading(plan.filter(read -> problems.isEmpty()), problems.sorted());
  }

  private static Optional<Plan> plan(YamlMap raw, Context context, Problems problems) {
    Interpolator interpolator = context.interpolator(problems);
    YamlMap root = interpolator.map(raw.without("streams"), Interpolator.Names.NONE);
    YamlMap.Entry rawStreams = raw.entries().get("streams");
    YamlMap whole = rawStreams == null ? root : root.with("streams", rawStreams);
    Optional<PlanDocument> document =
        Binder.whole(context.directory(), problems).bind(PlanDocument.class, whole);
    checkVersion(whole, problems);
    new StorageChecks(problems).run(root);
    YamlMap defaults = defaults(whole, context, problems);

    List<StreamView> views = new ArrayList<>();
    List<StreamPlan> streams = new ArrayList<>();
    List<YamlMap> written = new ArrayList<>();
    List<YamlMap> rawTemplates = new ArrayList<>();
    List<ForeachPlan> foreachs = new ArrayList<>();
    for (YamlNode item : items(rawStreams, problems)) {
      if (!(item instanceof YamlMap stream)) {
        problems.add(item.origin(), "expected a stream, a map of keys, found " + item.describe());
        continue;
      }
      boolean template = stream.get("foreach").isPresent();
      Interpolator.Names names =
          template ? StreamTemplate.openNames(stream) : Interpolator.Names.NONE;
      YamlMap own = interpolator.map(stream, names);
      YamlMap merged = own.over(defaults);
      Optional<StreamPlan> bound =
          Binder.whole(context.directory(), problems).bind(StreamPlan.class, merged);
      views.add(StreamView.of(merged, context.directory(), ""));
      if (template) {
        Optional<ForeachPlan> each = foreach(merged, context, problems);
        if (each.isPresent()) {
          rawTemplates.add(stream);
          foreachs.add(each.get());
        }
      } else {
        written.add(own);
        bound.ifPresent(streams::add);
      }
    }
    new StreamChecks(views, problems).run(workspaces(whole));
    List<StreamTemplate> templates = new ArrayList<>();
    for (int i = 0; i < foreachs.size(); i++) {
      templates.add(
          new StreamTemplate(foreachs.get(i), rawTemplates.get(i), defaults, written, context));
    }
    return document.map(
        read ->
            new Plan(
                read.name(),
                read.journal(),
                read.run(),
                read.workspaces(),
                read.storage(),
                List.copyOf(streams),
                List.copyOf(templates)));
  }

  private static void checkVersion(YamlMap root, Problems problems) {
    root.get("version")
        .filter(YamlScalar.class::isInstance)
        .map(YamlScalar.class::cast)
        .filter(version -> version.isA(YamlScalar.Kind.INTEGER) && !version.text().equals("1"))
        .ifPresent(
            version ->
                problems.add(
                    version.origin(),
                    "plans of version "
                        + version.shown()
                        + " are not known: this program reads 1"));
  }

  private static YamlMap defaults(YamlMap root, Context context, Problems problems) {
    Optional<YamlNode> given = root.get("defaults");
    if (given.isEmpty()) {
      return YamlMap.empty(root.origin());
    }
    if (!(given.get() instanceof YamlMap defaults)) {
      boolean none = given.get() instanceof YamlScalar scalar && scalar.isNull();
      if (!none) {
        problems.add(given.get().origin(), "expected a map, found " + given.get().describe());
      }
      return YamlMap.empty(root.origin());
    }
    Binder.partial(context.directory(), problems).bind(StreamPlan.class, defaults);
    YamlMap usable = defaults;
    for (String own : StreamPlan.OWN_KEYS) {
      YamlMap.Entry entry = defaults.entries().get(own);
      if (entry != null) {
        problems.add(entry.key(), "'" + own + "' belongs to one stream and cannot be a default");
        usable = usable.without(own);
      }
    }
    return usable;
  }

  private static List<YamlNode> items(YamlMap.Entry streams, Problems problems) {
    if (streams == null || !(streams.value() instanceof YamlList list)) {
      return List.of();
    }
    if (list.items().isEmpty()) {
      problems.add(list.origin(), "a plan needs at least one stream");
    }
    return list.items();
  }

  private static Optional<ForeachPlan> foreach(YamlMap merged, Context context, Problems problems) {
    Optional<YamlMap> map = merged.map("foreach");
    Optional<ForeachPlan> foreach =
        map.flatMap(
            given ->
                Binder.whole(context.directory(), new Problems()).bind(ForeachPlan.class, given));
    foreach
        .filter(each -> each.glob().isPresent() == each.csv().isPresent())
        .ifPresent(
            each -> problems.add(map.get().origin(), "foreach takes either a glob or a csv"));
    return foreach;
  }

  private static List<String> workspaces(YamlMap root) {
    return root.map("workspaces").map(map -> List.copyOf(map.entries().keySet())).orElse(List.of());
  }

  /** What a plan is read with. */
  record Context(
      Path directory,
      Map<String, String> variables,
      Function<String, Optional<String>> environment) {
    Context {
      directory = directory.toAbsolutePath();
      variables = Map.copyOf(variables);
      requireNonNull(environment, "environment");
    }

    Interpolator interpolator(Problems problems) {
      return new Interpolator(variables, environment, problems);
    }
  }
}
