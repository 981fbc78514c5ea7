package org.streammigrator.compatibility;

import java.util.ArrayList;
import java.util.List;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;

/** Compares lists of the kinds of sources, in the order of the plan. */
final class SourceLists {
  private SourceLists() {}

  /** What changes from one list to the other. A source that gave nothing yet may be of any kind. */
  static List<ChangePlan> changes(List<String> before, List<String> after) {
    String detail = String.join(", ", before) + " -> " + String.join(", ", after);
    List<ChangePlan> changes = new ArrayList<>();
    if (before.size() != after.size()) {
      ChangeKind kind =
          before.size() < after.size() ? ChangeKind.SOURCE_ADDED : ChangeKind.SOURCE_REMOVED;
      changes.add(ChangePlan.of(kind).withDetail(detail));
      return changes;
    }
    List<Integer> different = new ArrayList<>();
    for (int i = 0; i < before.size(); i++) {
      boolean unknown =
          before.get(i).equals(SourceKind.NONE.label())
              || before.get(i).equals(SourceKind.UNKNOWN.label());
      if (!unknown && !before.get(i).equals(after.get(i))) {
        different.add(i);
      }
    }
    List<String> sortedBefore = before.stream().sorted().toList();
    List<String> sortedAfter = after.stream().sorted().toList();
    if (different.size() > 1 && sortedBefore.equals(sortedAfter)) {
      changes.add(ChangePlan.of(ChangeKind.SOURCE_ORDER).withDetail(detail));
      return changes;
    }
    for (int i : different) {
      changes.add(
          ChangePlan.of(ChangeKind.SOURCE_KIND)
              .withDetail(detail)
              .ofSource(Integer.toString(i))
              .between(before.get(i), after.get(i)));
    }
    return changes;
  }
}
