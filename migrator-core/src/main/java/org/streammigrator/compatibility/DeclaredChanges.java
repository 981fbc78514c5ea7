package org.streammigrator.compatibility;

import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.plan.ChangesFile;
import org.streammigrator.verdict.Inspection;

/** The changes that a file declares, one by one, by its list of sources, and by its options. */
final class DeclaredChanges {
  private DeclaredChanges() {}

  static List<ChangePlan> of(ChangesFile file, Inspection checkpoint) {
    List<ChangePlan> changes = new ArrayList<>(file.changes());
    if (!file.sources().isEmpty()) {
      changes.addAll(
          SourceLists.changes(
              checkpoint.sources().stream().map(source -> source.type().label()).toList(),
              file.sources()));
    }
    file.options()
        .ifPresent(
            options -> {
              options
                  .read()
                  .forEach(
                      (key, value) ->
                          changes.add(
                              ChangePlan.of(ChangeKind.SOURCE_OPTION).ofSetting(key, value)));
              options
                  .write()
                  .forEach(
                      (key, value) -> {
                        if (!isCheckpoint(key, value, checkpoint)) {
                          changes.add(ChangePlan.of(ChangeKind.SINK_OPTION).ofSetting(key, value));
                        }
                      });
            });
    return changes;
  }

  /** Options are all that the query has: its checkpointLocation is this one unless it differs. */
  private static boolean isCheckpoint(String key, String value, Inspection checkpoint) {
    if (!key.equalsIgnoreCase("checkpointLocation")) {
      return false;
    }
    try {
      return org.streammigrator.storage.Location.parse(value, java.nio.file.Path.of("/"))
          .toString()
          .equals(checkpoint.checkpoint());
    } catch (IllegalArgumentException noLocation) {
      return false;
    }
  }
}
