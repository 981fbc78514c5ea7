package org.streammigrator.plan;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.storage.Location;

/**
 * A plan with its templates filled in, checked again as a whole.
 *
 * <ul>
 *   <li>Streams made from a template come after those that are written out, in the order of the
 *       rows.
 *   <li>A stream that is written out and has the name and the old checkpoint of one that a template
 *       makes takes its place: its keys lie over the template's, as these lie over the defaults.
 *       Any other two streams of one name are a mistake.
 *   <li>A row whose old checkpoint is the new one of another stream makes none: it is what this
 *       plan itself has written, found by the same pattern.
 * </ul>
 *
 * @param reading the plan without templates, or what is wrong with it
 * @param rows the rows that made streams, a list a template
 */
public record TemplateExpansion(PlanReading reading, List<List<TemplateRow>> rows) {

  public TemplateExpansion {
    rows = rows.stream().map(List::copyOf).toList();
  }

  /** Says what a template is filled with. */
  public interface Rows {
    /**
     * The rows.
     *
     * @throws UnusableTemplateException if there are none; becomes a problem of the plan
     */
    List<TemplateRow> of(StreamTemplate template) throws IOException;
  }

  /** A stream made from a row; each is equal to itself alone. */
  private static final class Made {
    private final StreamTemplate template;
    private final TemplateRow row;
    private final YamlMap own;
    private final StreamView view;

    Made(StreamTemplate template, TemplateRow row, YamlMap own, StreamView view) {
      this.template = template;
      this.row = row;
      this.own = own;
      this.view = view;
    }

    YamlMap under(YamlMap writtenOut) {
      return writtenOut.over(own).over(template.defaults());
    }
  }

  /**
   * Fills the templates of a plan.
   *
   * @throws IOException if the rows cannot be read
   */
  public static TemplateExpansion of(Plan plan, Rows rows) throws IOException {
    if (plan.templates().isEmpty()) {
      return new TemplateExpansion(new PlanReading(Optional.of(plan), List.of()), List.of());
    }
    Problems problems = new Problems();
    Map<PlanProblem, List<String>> ofRows = new LinkedHashMap<>();
    List<Made> made = new ArrayList<>();
    for (StreamTemplate template : plan.templates()) {
      try {
        for (TemplateRow row : rows.of(template)) {
          Problems own = new Problems();
          YamlMap filled = template.fill(row, own);
          YamlMap whole = filled.over(template.defaults());
          Binder.whole(template.directory(), own).bind(StreamPlan.class, whole);
          own.sorted()
              .forEach(one -> ofRows.computeIfAbsent(one, k -> new ArrayList<>()).add(row.of()));
          made.add(
              new Made(
                  template,
                  row,
                  filled,
                  StreamView.of(whole, template.directory(), " (of " + row.of() + ")")));
        }
      } catch (UnusableTemplateException unusable) {
        problems.add(template.origin(), unusable.getMessage());
      }
    }
    ofRows.forEach(
        (problem, where) ->
            problems.add(
                new Origin(problem.path(), problem.line(), problem.column()),
                problem.message() + ", of " + where.get(0) + more(where.size() - 1)));
    StreamTemplate any = plan.templates().get(0);
    List<Made> kept = withoutOurOwn(made, targets(any));
    List<StreamView> views = new ArrayList<>();
    List<StreamPlan> streams = new ArrayList<>();
    Set<Made> overridden = writtenOut(plan, any, kept, views, streams, problems);
    for (Made one : kept) {
      if (!overridden.contains(one)) {
        views.add(one.view);
        Binder.whole(one.template.directory(), new Problems())
            .bind(StreamPlan.class, one.own.over(one.template.defaults()))
            .ifPresent(streams::add);
      }
    }
    new StreamChecks(views, problems).run(plan.workspaces().keySet());
    Plan expanded =
        new Plan(
            plan.name(),
            plan.journal(),
            plan.run(),
            plan.workspaces(),
            plan.storage(),
            List.copyOf(streams),
            List.of());
    return new TemplateExpansion(
        new PlanReading(
            Optional.of(expanded).filter(whole -> problems.isEmpty()), problems.sorted()),
        plan.templates().stream()
            .map(
                template ->
                    kept.stream()
                        .filter(one -> one.template == template)
                        .map(one -> one.row)
                        .toList())
            .toList());
  }

  private static String more(int others) {
    return others == 0 ? "" : " and " + others + " more";
  }

  /** Adds the streams that are written out, each over what a template makes of the same. */
  private static Set<Made> writtenOut(
      Plan plan,
      StreamTemplate any,
      List<Made> kept,
      List<StreamView> views,
      List<StreamPlan> streams,
      Problems problems) {
    Map<String, Made> byName = new HashMap<>();
    kept.forEach(one -> one.view.name().ifPresent(name -> byName.putIfAbsent(name, one)));
    Set<Made> overridden = new HashSet<>();
    for (int i = 0; i < any.written().size(); i++) {
      YamlMap own = any.written().get(i);
      StreamView view = StreamView.of(own.over(any.defaults()), any.directory(), "");
      Made same = byName.get(view.name().orElse(""));
      if (same == null || !same.view.from().equals(view.from())) {
        views.add(view);
        streams.add(plan.streams().get(i));
        continue;
      }
      overridden.add(same);
      YamlMap whole = same.under(own);
      views.add(StreamView.of(whole, any.directory(), ""));
      Binder.whole(any.directory(), problems).bind(StreamPlan.class, whole).ifPresent(streams::add);
    }
    return overridden;
  }

  private static Set<Location> targets(StreamTemplate any) {
    Set<Location> targets = new HashSet<>();
    for (YamlMap own : any.written()) {
      StreamView.of(own.over(any.defaults()), any.directory(), "").to().ifPresent(targets::add);
    }
    return targets;
  }

  /** Without rows whose old checkpoint is the target of a stream that is kept. */
  private static List<Made> withoutOurOwn(List<Made> made, Set<Location> writtenOut) {
    Map<Location, List<Made>> writers = new HashMap<>();
    for (Made one : made) {
      one.view.to().ifPresent(to -> writers.computeIfAbsent(to, k -> new ArrayList<>()).add(one));
    }
    Map<Made, Boolean> known = new HashMap<>();
    return made.stream().filter(one -> isKept(one, writers, writtenOut, known)).toList();
  }

  private static boolean isKept(
      Made one,
      Map<Location, List<Made>> writers,
      Set<Location> writtenOut,
      Map<Made, Boolean> known) {
    List<Made> chain = new ArrayList<>();
    Made at = one;
    while (at != null && !known.containsKey(at) && !chain.contains(at)) {
      chain.add(at);
      List<Made> before = at.view.from().map(writers::get).orElse(List.of());
      at = before == null || before.isEmpty() ? null : before.get(0);
    }
    boolean written = at != null && known.getOrDefault(at, Boolean.FALSE);
    for (int i = chain.size() - 1; i >= 0; i--) {
      Made next = chain.get(i);
      boolean ours = written || next.view.from().filter(writtenOut::contains).isPresent();
      written = !ours;
      known.put(next, written);
    }
    return known.get(one);
  }
}
