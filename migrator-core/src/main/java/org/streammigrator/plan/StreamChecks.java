package org.streammigrator.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.finding.DidYouMean;
import org.streammigrator.storage.Location;

/** Finds contradictions inside streams and between them. */
final class StreamChecks {
  private final Problems problems;
  private final List<StreamView> views;

  StreamChecks(List<StreamView> views, Problems problems) {
    this.views = List.copyOf(views);
    this.problems = problems;
  }

  void run(Collection<String> workspaces) {
    JobChecks jobs = new JobChecks(problems);
    for (StreamView view : views) {
      checkPlaces(view);
      checkStrategy(view);
      checkWorkspaces(view, workspaces);
      checkRewrite(view);
      jobs.check(view.map());
      new RunnerChecks(problems).check(view.map());
    }
    checkNames();
    checkTargets();
    checkNeighbours();
    checkAfter();
    checkCycles();
  }

  private void checkPlaces(StreamView view) {
    if (view.from().isEmpty() || view.to().isEmpty()) {
      return;
    }
    Location from = view.from().get();
    Location to = view.to().get();
    if (from.equals(to)) {
      problems.add(
          view.toOrigin(),
          "SAME_LOCATION: the new checkpoint is the old one, in whatever spelling; the old one is"
              + " never written: name another place");
    } else if (to.isInside(from)) {
      problems.add(
          view.toOrigin(),
          "TARGET_INSIDE_SOURCE: the new checkpoint lies inside the old one: name a place outside");
    } else if (from.isInside(to)) {
      problems.add(
          view.toOrigin(),
          "TARGET_INSIDE_SOURCE: the old checkpoint lies inside the new one: name a place outside");
    }
  }

  private void checkStrategy(StreamView view) {
    if (view.strategy().isEmpty()) {
      return;
    }
    YamlScalar strategy = view.strategy().get();
    boolean rewind = strategy.text().equals(Strategy.REWIND.label());
    if (rewind && view.map().get("batch").isEmpty()) {
      problems.add(strategy.origin(), "a rewind needs the batch to go back to: add batch: N");
    }
    boolean needsTarget =
        Types.labels(Strategy.class).contains(strategy.text())
            && !strategy.text().equals(Strategy.START_OPTIONS.label());
    Optional<YamlMap> checkpoint = view.map().map("checkpoint");
    if (needsTarget && checkpoint.isPresent() && checkpoint.get().get("to").isEmpty()) {
      problems.add(
          checkpoint.get().origin().key("to"),
          "the key 'to' is missing: " + strategy.text() + " writes a new checkpoint");
    }
  }

  private void checkRewrite(StreamView view) {
    Map<Location, StreamView.Moved> first = new HashMap<>();
    for (StreamView.Moved rule : view.moved()) {
      StreamView.Moved other = first.putIfAbsent(rule.place(), rule);
      if (other != null) {
        problems.add(
            rule.text().origin(),
            "this place has a rule already, in line "
                + other.text().origin().line()
                + ": it cannot have moved to two places");
      }
    }
  }

  private void checkWorkspaces(StreamView view, Collection<String> workspaces) {
    for (YamlScalar workspace : view.workspaces()) {
      boolean open = workspace.kind() == YamlScalar.Kind.OPEN;
      if (!open && !workspaces.contains(workspace.text())) {
        problems.add(
            workspace.origin(),
            "no workspace of the plan is called '"
                + workspace.shown()
                + "'"
                + DidYouMean.among(workspace.shown(), workspaces));
      }
    }
  }

  private void checkNames() {
    Map<String, StreamView> first = new HashMap<>();
    for (StreamView view : views) {
      if (view.isTemplate() || view.name().isEmpty()) {
        continue;
      }
      String name = view.name().get();
      StreamView other = first.putIfAbsent(name, view);
      if (other != null) {
        boolean given = view.map().get("name").isPresent();
        problems.add(
            view.nameOrigin(),
            "two streams are called '"
                + shownName(view)
                + "'"
                + view.madeFrom()
                + ", the first in line "
                + other.nameOrigin().line()
                + other.madeFrom()
                + (given ? "" : "; give this one a name"));
      }
    }
  }

  private static String shownName(StreamView view) {
    return view.map().get("name").orElse(null) instanceof YamlScalar name
        ? name.shown()
        : view.name().orElse("");
  }

  private void checkTargets() {
    Map<Location, StreamView> first = new HashMap<>();
    for (StreamView view : views) {
      if (view.to().isEmpty()) {
        continue;
      }
      StreamView other = first.putIfAbsent(view.to().get(), view);
      if (other != null) {
        problems.add(
            view.toOrigin(),
            "two streams would write this checkpoint"
                + view.madeFrom()
                + ", the other is '"
                + shownName(other)
                + "' in line "
                + other.toOrigin().line()
                + other.madeFrom());
      }
    }
  }

  /** That no stream writes into the old or the new checkpoint of another one. */
  private void checkNeighbours() {
    Map<Location, StreamView> old = new HashMap<>();
    Map<Location, StreamView> made = new HashMap<>();
    for (StreamView view : views) {
      view.from().ifPresent(place -> old.putIfAbsent(place, view));
      view.to().ifPresent(place -> made.putIfAbsent(place, view));
    }
    for (StreamView view : views) {
      view.to().flatMap(Location::parent).ifPresent(above -> neighbours(view, above, old, made));
      view.archive()
          .flatMap(place -> holder(place, old).or(() -> holder(place, made)))
          .ifPresent(
              other ->
                  problems.add(
                      view.archiveOrigin(),
                      "TARGET_INSIDE_SOURCE: archives would lie inside a checkpoint of '"
                          + shownName(other)
                          + "': give them a place of their own"));
    }
  }

  private void neighbours(
      StreamView view,
      Location above,
      Map<Location, StreamView> old,
      Map<Location, StreamView> made) {
    holder(above, old)
        .filter(other -> other != view)
        .ifPresent(
            other ->
                problems.add(
                    view.toOrigin(),
                    "TARGET_INSIDE_SOURCE: the new checkpoint lies inside the old one of '"
                        + shownName(other)
                        + "', which is never written: name a place outside"));
    holder(above, made)
        .filter(other -> other != view)
        .ifPresent(
            other ->
                problems.add(
                    view.toOrigin(),
                    "TARGET_INSIDE_SOURCE: the new checkpoint lies inside the new one of '"
                        + shownName(other)
                        + "': name a place outside"));
  }

  /** The stream that has a checkpoint at a place or above it. */
  private static Optional<StreamView> holder(
      Location place, Map<Location, StreamView> checkpoints) {
    for (Optional<Location> at = Optional.of(place); at.isPresent(); at = at.get().parent()) {
      StreamView found = checkpoints.get(at.get());
      if (found != null) {
        return Optional.of(found);
      }
    }
    return Optional.empty();
  }

  private void checkAfter() {
    Set<String> names = new LinkedHashSet<>();
    views.stream()
        .filter(view -> !view.isTemplate())
        .forEach(view -> view.name().ifPresent(names::add));
    List<StreamView> templates = views.stream().filter(StreamView::isTemplate).toList();
    for (StreamView view : views) {
      for (YamlScalar wanted : view.after()) {
        boolean known =
            names.contains(wanted.text())
                || templates.stream().anyMatch(template -> template.mayMake(wanted.text()));
        if (!known) {
          String suggestion = wanted.isSecret() ? "" : DidYouMean.among(wanted.text(), names);
          problems.add(
              wanted.origin(), "no stream is called '" + wanted.shown() + "'" + suggestion);
        }
      }
    }
  }

  private void checkCycles() {
    Map<String, StreamView> byName = new LinkedHashMap<>();
    for (StreamView view : views) {
      if (!view.isTemplate()) {
        view.name().ifPresent(name -> byName.putIfAbsent(name, view));
      }
    }
    Set<String> done = new HashSet<>();
    for (String name : byName.keySet()) {
      follow(name, byName, done);
    }
  }

  /**
   * Follows what waits for what from one stream, without recursion: a fleet's chain may be long.
   */
  private void follow(String name, Map<String, StreamView> byName, Set<String> done) {
    if (!done.add(name)) {
      return;
    }
    List<String> trail = new ArrayList<>(List.of(name));
    Deque<Iterator<YamlScalar>> open = new ArrayDeque<>();
    open.push(byName.get(name).after().iterator());
    while (!open.isEmpty()) {
      if (!open.peek().hasNext()) {
        open.pop();
        trail.remove(trail.size() - 1);
        continue;
      }
      YamlScalar next = open.peek().next();
      if (byName.containsKey(next.text()) && done.add(next.text())) {
        trail.add(next.text());
        open.push(byName.get(next.text()).after().iterator());
      } else if (trail.contains(next.text())) {
        List<String> cycle =
            new ArrayList<>(trail.subList(trail.indexOf(next.text()), trail.size()));
        cycle.add(next.text());
        problems.add(
            next.origin(), "the streams wait for each other: " + String.join(" after ", cycle));
      }
    }
  }
}
