package org.streammigrator.compatibility;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.plan.ChangesFile;
import org.streammigrator.plan.OptionsPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.verdict.Inspection;

/** The changes that a file declares, one by one, by its list of sources, and by its options. */
final class DeclaredChanges {
  private final Inspection checkpoint;
  private final List<ChangePlan> changes = new ArrayList<>();

  private DeclaredChanges(Inspection checkpoint) {
    this.checkpoint = checkpoint;
  }

  static List<ChangePlan> of(ChangesFile file, Inspection checkpoint) {
    DeclaredChanges declared = new DeclaredChanges(checkpoint);
    file.changes().forEach(change -> declared.changes.add(byItsMeaning(change)));
    if (!file.sources().isEmpty()) {
      declared.sources(file.sources());
    }
    file.options().ifPresent(declared::options);
    return declared.changes;
  }

  /** An option that has a kind of change of its own. */
  private static ChangePlan byItsMeaning(ChangePlan change) {
    String key = change.key().orElse("").toLowerCase(Locale.ROOT);
    return switch (change.kind()) {
      case SOURCE_OPTION ->
          switch (key) {
            case "subscribe" -> change.as(ChangeKind.TOPIC);
            case "path" -> change.as(ChangeKind.PATH);
            default -> change;
          };
      case SINK_OPTION -> key.equals("path") ? change.as(ChangeKind.SINK_PATH) : change;
      default -> change;
    };
  }

  private void sources(List<String> declared) {
    List<String> recorded = new ArrayList<>();
    for (Inspection.Source source : checkpoint.sources()) {
      String kind = source.type().label();
      int index = recorded.size();
      boolean mayBeEventHubs =
          source.type() == SourceKind.KAFKA
              && index < declared.size()
              && declared.get(index).equals(SourceKind.EVENTHUBS.label())
              && checkpoint.findings().stream()
                  .anyMatch(finding -> finding.code() == FindingCode.SOURCE_TYPE_AMBIGUOUS);
      recorded.add(mayBeEventHubs ? SourceKind.EVENTHUBS.label() : kind);
    }
    changes.addAll(SourceLists.changes(recorded, declared));
  }

  /**
   * The options are all that the new code sets, not what is new of them: a path says nothing, and
   * topics only if they are other ones than the checkpoint's.
   */
  private void options(OptionsPlan options) {
    options
        .read()
        .forEach(
            (key, value) -> {
              switch (key.toLowerCase(Locale.ROOT)) {
                case "path", "subscribepattern", "assign" -> {
                  // What they were before is not recorded.
                }
                default ->
                    changes.add(
                        byItsMeaning(
                            ChangePlan.of(ChangeKind.SOURCE_OPTION).ofSetting(key, value)));
              }
            });
    options
        .write()
        .forEach(
            (key, value) -> {
              if (!key.equalsIgnoreCase("path") && !isThisCheckpoint(key, value)) {
                changes.add(ChangePlan.of(ChangeKind.SINK_OPTION).ofSetting(key, value));
              }
            });
  }

  private boolean isThisCheckpoint(String key, String value) {
    if (!key.equalsIgnoreCase("checkpointLocation")) {
      return false;
    }
    try {
      return Location.parse(value, Path.of("/")).toString().equals(checkpoint.checkpoint());
    } catch (IllegalArgumentException noLocation) {
      return false;
    }
  }
}
