package org.streammigrator.position;

import static org.streammigrator.finding.FindingCode.DELTA_AHEAD_OF_TABLE;
import static org.streammigrator.finding.FindingCode.DELTA_INITIAL_SNAPSHOT;
import static org.streammigrator.finding.FindingCode.DELTA_MID_VERSION;
import static org.streammigrator.finding.FindingCode.DELTA_NEXT_VERSION_NOT_WRITTEN;
import static org.streammigrator.finding.FindingCode.DELTA_SCHEMA_CHANGE;
import static org.streammigrator.finding.FindingCode.DELTA_TABLE_REPLACED;
import static org.streammigrator.finding.FindingCode.DELTA_VERSION_MISSING;
import static org.streammigrator.finding.FindingCode.LOG_VERSION_UNSUPPORTED;
import static org.streammigrator.finding.FindingCode.OFFSETS_CORRUPT;
import static org.streammigrator.finding.FindingCode.RUNBOOK_PLUS_ONE;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * Positions of Delta sources. The rules are those of {@code DeltaSource.scala}: index -1 at version
 * V says that all of V is still to be read, so that {@code startingVersion} is V, never V + 1.
 */
final class DeltaPositions {
  private DeltaPositions() {}

  static SourcePosition of(RecordedSource source, DeltaOffset offset) {
    Optional<DeltaFacts> facts = Optional.ofNullable(source.facts().delta().get(source.id()));
    List<Finding> findings = new ArrayList<>();
    String subject = source.subject();
    long version = offset.version();
    if (!offset.readable()) {
      findings.add(
          Finding.error(
              LOG_VERSION_UNSUPPORTED,
              subject,
              "the offset has sourceVersion "
                  + offset.sourceVersion()
                  + "; known are 1 and "
                  + DeltaOffset.NEWEST_SOURCE_VERSION,
              "find out what wrote it; do not use this position"));
      return source.unknown(offset, "unknown", "what such an offset means is not known", findings);
    }
    boolean beforeSnapshot =
        offset.initialSnapshot()
            && (offset.index() == DeltaOffset.BASE_INDEX
                || offset.index() == DeltaOffset.BASE_INDEX_IN_MEMORY);
    if (!offset.atVersionBoundary()
        && !beforeSnapshot
        && (offset.index() < 0 || offset.index() >= Integer.MAX_VALUE)) {
      findings.add(
          Finding.error(
              OFFSETS_CORRUPT,
              subject,
              "the index " + offset.index() + " is none that Delta writes into a log",
              "do not use this position; go back to an older committed batch"));
      return source.unknown(offset, "unknown", "the recorded index has no meaning", findings);
    }
    Exactness log = facts.map(f -> compare(subject, offset, f, findings)).orElse(Exactness.EXACT);
    if (log == Exactness.UNKNOWN) {
      return source.unknown(
          offset,
          consumed(offset),
          "the recorded version has no meaning in the table as it is now",
          findings);
    }
    Exactness files =
        facts
            .flatMap(DeltaFacts::backlog)
            .map(unread -> DeltaUnread.check(subject, unread, findings))
            .orElse(Exactness.EXACT);
    Exactness lost = Exactness.worst(List.of(log, files));
    if (offset.initialSnapshot()) {
      findings.add(
          Finding.warning(
              DELTA_INITIAL_SNAPSHOT,
              subject,
              "the query was still reading the table's snapshot at version "
                  + version
                  + (offset.index() < 0
                      ? " (no file of it is done)"
                      : " (files 0.." + offset.index() + " are done)")
                  + "; startingVersion "
                  + version
                  + " would drop the unread rest of it",
              "seed a checkpoint at this position (strategy seed), let the old query finish the"
                  + " snapshot, or read everything again without startingVersion and MERGE"));
      return source.notExpressible(
          offset,
          consumed(offset),
          "no reader option says \"the rest of a snapshot\"; only a seeded checkpoint does",
          findings);
    }
    Map<String, String> options = Map.of("startingVersion", Long.toString(version));
    if (!offset.atVersionBoundary()) {
      findings.add(
          Finding.warning(
              DELTA_MID_VERSION,
              subject,
              "files 0.."
                  + offset.index()
                  + " of version "
                  + version
                  + " are done and the rest is not: startingVersion "
                  + version
                  + " repeats those files, startingVersion "
                  + (version + 1)
                  + " loses the rest. With readChangeFeed the index counts the change files and"
                  + " removes of the version, too: do not switch it while the position is here",
              "seed a checkpoint at this position (strategy seed), or start at "
                  + version
                  + " and MERGE the overlap away"));
      return source.at(
          offset,
          Exactness.worst(List.of(Exactness.OVERLAP, lost)),
          options,
          consumed(offset),
          "startingVersion cannot point inside a version; this one reads "
              + (offset.index() + 1)
              + " files of it again",
          findings);
    }
    if (offset.atSchemaChange()) {
      findings.add(
          Finding.warning(
              DELTA_SCHEMA_CHANGE,
              subject,
              "the query stopped at the schema change of version " + version,
              "take the schema tracking log along, or start the new query with the schema of version "
                  + version));
    }
    findings.add(
        Finding.info(
            RUNBOOK_PLUS_ONE,
            subject,
            "runbooks say \"last reservoirVersion + 1\" ("
                + (version + 1)
                + "): that skips version "
                + version
                + ", which is not read yet",
            "start at " + version));
    return source.at(
        offset,
        lost,
        options,
        consumed(offset),
        "index "
            + offset.index()
            + " at version "
            + version
            + " means that nothing of version "
            + version
            + " is read yet",
        findings);
  }

  private static String consumed(DeltaOffset offset) {
    if (offset.initialSnapshot()) {
      return offset.index() < 0
          ? "nothing"
          : "files 0.." + offset.index() + " of the snapshot at version " + offset.version();
    }
    if (!offset.atVersionBoundary()) {
      return "file " + offset.index() + " of version " + offset.version();
    }
    return offset.version() == 0 ? "nothing" : "version " + (offset.version() - 1);
  }

  /** Compares with the table; UNKNOWN if the position has no meaning there, LOSS, or EXACT. */
  private static Exactness compare(
      String subject, DeltaOffset offset, DeltaFacts facts, List<Finding> findings) {
    long version = offset.version();
    Long replacedAt = facts.formerIds().get(offset.tableId());
    if (replacedAt != null && version <= replacedAt) {
      findings.add(
          Finding.warning(
              DELTA_TABLE_REPLACED,
              subject,
              "the table had id "
                  + offset.tableId()
                  + " until its version "
                  + replacedAt
                  + " replaced it; the history goes on without a break, so the version keeps its"
                  + " meaning, and the old checkpoint itself would stop with"
                  + " DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE",
              "check that version "
                  + replacedAt
                  + " (CREATE OR REPLACE) has the schema and the rows that the query expects"));
    } else if (facts.tableId().isPresent() && !facts.tableId().get().equals(offset.tableId())) {
      findings.add(
          Finding.error(
              DELTA_TABLE_REPLACED,
              subject,
              "the checkpoint reads table "
                  + offset.tableId()
                  + " and the table is now "
                  + facts.tableId().get()
                  + " (latest version "
                  + facts.latest()
                  + "): version "
                  + version
                  + " of the old table has no meaning in it",
              "start without startingVersion (a full read) and MERGE, or backfill by time and call it"
                  + " inexact"));
      return Exactness.UNKNOWN;
    }
    boolean needsVersion = !offset.atVersionBoundary();
    long next = facts.latest() + 1;
    long ahead = needsVersion ? version - facts.latest() : version - next;
    if (ahead > 0) {
      findings.add(
          Finding.error(
              DELTA_AHEAD_OF_TABLE,
              subject,
              "the checkpoint is at version "
                  + version
                  + " and the table ends at "
                  + facts.latest()
                  + ": it is ahead by "
                  + ahead
                  + (ahead == 1 ? " version" : " versions")
                  + (version > next
                      ? ", and new commits "
                          + next
                          + ".."
                          + (version - 1)
                          + " would be other data under the same numbers"
                      : ""),
              "find out whether the table was rolled back on storage or replaced by a backup; do not"
                  + " use this position"));
      return Exactness.UNKNOWN;
    }
    if (version == next) {
      findings.add(
          Finding.warning(
              DELTA_NEXT_VERSION_NOT_WRITTEN,
              subject,
              "the query is caught up: version "
                  + version
                  + " does not exist yet, and Delta refuses startingVersion "
                  + version
                  + " until it does",
              "seed a checkpoint (strategy seed), or wait for the next commit before you start"));
      return Exactness.EXACT;
    }
    long firstNeeded = offset.initialSnapshot() ? version + 1 : version;
    List<Long> lost =
        facts.missing().stream()
            .filter(v -> v >= firstNeeded && v >= facts.earliest() && v <= facts.latest())
            .distinct()
            .sorted()
            .collect(Collectors.toList());
    long gone = Math.max(0, facts.earliest() - firstNeeded);
    if (gone == 0 && lost.isEmpty()) {
      return Exactness.EXACT;
    }
    List<String> parts = new ArrayList<>();
    if (gone == 1) {
      parts.add("version " + firstNeeded);
    } else if (gone > 1) {
      parts.add("versions " + firstNeeded + ".." + (facts.earliest() - 1));
    }
    if (!lost.isEmpty()) {
      parts.add(
          (lost.size() == 1 ? "version " : "versions ")
              + lost.stream().limit(20).map(String::valueOf).collect(Collectors.joining(", "))
              + (lost.size() > 20 ? ", …" : ""));
    }
    long total = gone + lost.size();
    findings.add(
        Finding.error(
            DELTA_VERSION_MISSING,
            subject,
            String.join(" and ", parts)
                + (total == 1 ? " is" : " are")
                + " needed and not in the table's log any more ("
                + total
                + (total == 1 ? " version" : " versions")
                + "; a Delta checkpoint does not replace them, and failOnDataLoss=false would skip"
                + " them silently)",
            "read what is lost from a backup of the table, or read the table in full and MERGE"));
    return Exactness.LOSS;
  }
}
