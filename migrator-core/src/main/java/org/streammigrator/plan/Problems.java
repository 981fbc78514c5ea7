package org.streammigrator.plan;

import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/** Collects problems; the same one found twice counts once. */
final class Problems {
  private final SortedSet<PlanProblem> found = new TreeSet<>();

  void add(Origin origin, String message) {
    found.add(new PlanProblem(origin.line(), origin.column(), origin.path(), message));
  }

  boolean isEmpty() {
    return found.isEmpty();
  }

  List<PlanProblem> sorted() {
    return List.copyOf(found);
  }
}
