package org.streammigrator.position;

import static org.streammigrator.finding.FindingCode.DELTA_CHANGE_COMMITS;
import static org.streammigrator.finding.FindingCode.DELTA_FILES_VACUUMED;
import static org.streammigrator.finding.FindingCode.DELTA_SCHEMA_CHANGE;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.facts.DeltaBacklog;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/** What stands in the commits that a Delta source has still to read, as findings. */
final class DeltaUnread {
  private static final int MOST_NAMED = 10;

  private DeltaUnread() {}

  /** Adds the findings and says how exact a start can be at best. */
  static Exactness check(String subject, DeltaBacklog unread, List<Finding> findings) {
    if (!unread.schemaChanges().isEmpty()) {
      findings.add(
          Finding.warning(
              DELTA_SCHEMA_CHANGE,
              subject,
              "the table's schema changes in the versions that are still to be read: "
                  + named(
                      unread.schemaChanges().entrySet().stream()
                          .map(
                              change ->
                                  "version " + change.getKey() + " (" + change.getValue() + ")")
                          .toList()),
              "added columns need one restart at that version; a renamed, dropped or retyped one"
                  + " needs schemaTrackingLocation, or a new query from that version on"));
    }
    if (!unread.rewriting().isEmpty()) {
      findings.add(
          Finding.warning(
              DELTA_CHANGE_COMMITS,
              subject,
              "versions that are still to be read remove or rewrite rows: "
                  + named(unread.rewriting().stream().map(String::valueOf).toList())
                  + "; the source stops there with DELTA_SOURCE_TABLE_IGNORE_CHANGES or"
                  + " DELTA_SOURCE_IGNORE_DELETE unless it is told what to do",
              "give the new query the option that the old one had: skipChangeCommits, ignoreDeletes"
                  + " or ignoreChanges"));
    }
    if (unread.vacuumed().isEmpty()) {
      return Exactness.EXACT;
    }
    long gone = unread.vacuumed().values().stream().mapToLong(List::size).sum();
    findings.add(
        Finding.error(
            DELTA_FILES_VACUUMED,
            subject,
            "of the "
                + unread.files()
                + " data files that versions "
                + unread.from()
                + ".."
                + unread.through()
                + " add, "
                + gone
                + (gone == 1 ? " does" : " do")
                + " not exist any more (VACUUM removed them): "
                + named(unread.vacuumed().entrySet().stream().map(DeltaUnread::version).toList())
                + "; the commits are there, but their rows cannot be read",
            "restore the files from a backup or a clone; else accept that these rows are lost, or"
                + " read the table's present snapshot and MERGE"));
    return Exactness.LOSS;
  }

  private static String version(Map.Entry<Long, List<String>> version) {
    int files = version.getValue().size();
    return "version "
        + version.getKey()
        + " ("
        + files
        + (files == 1 ? " file: " : " files, such as ")
        + version.getValue().get(0)
        + ")";
  }

  private static String named(List<String> all) {
    return all.stream().limit(MOST_NAMED).collect(Collectors.joining(", "))
        + (all.size() > MOST_NAMED ? " and " + (all.size() - MOST_NAMED) + " more" : "");
  }
}
