package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaReach;
import org.streammigrator.facts.DeltaReaches;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Where the replay of a Delta table begins: at the first version that adds a file which may hold a
 * needed event time, by the files' statistics; never before the query's own first position.
 */
final class DeltaStart {
  private static final Set<String> TOLERATES_CHANGES =
      Set.of("ignorechanges", "ignoredeletes", "skipchangecommits", "readchangefeed");

  /** A column, not an expression. */
  private static final Pattern NAME = Pattern.compile("[\\w.`]+");

  private final Store store;
  private final Checkpoint checkpoint;
  private final Reasons reasons;

  DeltaStart(Store store, Checkpoint checkpoint, Reasons reasons) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.reasons = requireNonNull(reasons, "reasons");
  }

  /** A position from which the query is known to have begun, or not to have begun earlier. */
  private record First(
      OptionalLong startingVersion, OptionalLong initialSnapshot, long seen, long read) {}

  Optional<ReplayStart> of(
      String id, SourcePlan source, Location table, DeltaOffset end, Instant earliest)
      throws IOException {
    First first = first(id, source, end);
    if (first.startingVersion().isPresent()
        && first.startingVersion().getAsLong()
            > Math.min(first.read(), first.initialSnapshot().orElse(Long.MAX_VALUE))) {
      reasons.incomplete(
          "sources",
          "the plan says that the query began at version "
              + first.startingVersion().getAsLong()
              + " of "
              + table
              + ", and the old checkpoint shows that it had read version "
              + Math.min(first.read(), first.initialSnapshot().orElse(Long.MAX_VALUE)),
          "say in options: {startingVersion: N} where the old query once began; a reader of an old"
              + " checkpoint does not look at it");
      return Optional.empty();
    }
    if (end.initialSnapshot()) {
      return snapshot(
          id,
          table,
          end,
          end.version(),
          "the query is still inside the table's snapshot at version "
              + end.version()
              + ", which is read from its beginning");
    }
    DeltaFacts facts = new DeltaTables(store).read(table, end.tableId());
    boolean hasFilesOfEnd = end.index() >= 0;
    long last = hasFilesOfEnd ? end.version() : end.version() - 1;
    long low = Math.max(facts.earliest(), first.startingVersion().orElse(0));
    Optional<Long> missing =
        facts.missing().stream().filter(v -> v >= low && v <= last).findFirst();
    if (missing.isPresent()) {
      reasons.gone(table.toString(), "the commit of version " + missing.get() + " is missing");
      return Optional.empty();
    }
    if (earliest == null) {
      return fromTheFirst(id, source, table, end, first, facts, last);
    }
    if (source.eventTime().isEmpty()) {
      reasons.incomplete(
          "sources",
          "the plan does not say which column of "
              + table
              + " is the event time, by which the first needed version is found",
          "add eventTime to the source");
      return Optional.empty();
    }
    String eventTime = source.eventTime().get();
    DeltaReaches reaches = new DeltaReaches(store, table, eventTime);
    if (reaches.type().isEmpty() && NAME.matcher(eventTime).matches()) {
      reasons.incomplete(
          "sources",
          table + " has no column " + eventTime + ", which the plan calls its event time",
          "correct eventTime");
      return Optional.empty();
    }
    long files = hasFilesOfEnd ? end.index() + 1 : Long.MAX_VALUE;
    DeltaReach reach = reaches.find(low, last, files, earliest);
    if (low == facts.earliest() && low > first.startingVersion().orElse(0)) {
      List<String> older = reaches.before(low, earliest);
      if (!older.isEmpty()) {
        reasons.gone(
            table.toString(),
            "the commits before version "
                + low
                + " are gone, and "
                + older.size()
                + " file(s) which they added may hold event times from "
                + earliest
                + " on, such as "
                + older.get(0));
      }
    }
    if (reach.first().isEmpty()) {
      return Optional.of(
          new ReplayStart(
              id,
              raw(end),
              end.json(),
              0L,
              0L,
              0L,
              0L,
              "no file that was read reaches " + earliest + ": nothing is to be read again"));
    }
    long version = reach.first().getAsLong();
    String why =
        "version "
            + version
            + " is the first that adds a file which may hold event times from "
            + earliest
            + " on ("
            + reach.firstFile().orElseThrow()
            + (reach.firstKnown() ? ")" : ", which has no statistics of them)")
            + withoutStatistics(reaches, eventTime);
    if (first.initialSnapshot().isPresent() && version <= first.initialSnapshot().getAsLong()) {
      long whole = first.initialSnapshot().getAsLong();
      check(table, source, reaches.find(whole + 1, last, files, Instant.MIN.plusSeconds(1)));
      return snapshot(
          id,
          table,
          end,
          whole,
          why + "; the query began with the table as it was at version " + whole);
    }
    check(table, source, reach);
    if (version < first.seen()
        && first.startingVersion().isEmpty()
        && !isOlderThan(reach.firstCommittedMs())) {
      unknownBeginning(table, version, first);
    }
    return Optional.of(
        new ReplayStart(
            id,
            text(end, version, false),
            json(text(end, version, false)),
            reach.files(),
            reach.bytes(),
            boxed(reach.records()),
            boxed(reach.neededRecords()),
            why + outlier(reach)));
  }

  /** Says when a column is why everything is read. */
  private static String withoutStatistics(DeltaReaches reaches, String eventTime) {
    return reaches.hasStatistics()
        ? ""
        : "; no file says how far "
            + eventTime
            + " reaches, which is "
            + reaches.type().map(type -> "a " + type).orElse("an expression")
            + ", so that all of them are read";
  }

  /** Says when much is read for little. */
  private static String outlier(DeltaReach reach) {
    boolean isMuch =
        reach.records().isPresent()
            && reach.neededRecords().isPresent()
            && reach.records().getAsLong() > reach.neededRecords().getAsLong() * 6 / 5;
    return isMuch
        ? "; "
            + reach.records().getAsLong()
            + " records are read again for the "
            + reach.neededRecords().getAsLong()
            + " in files that may hold such event times, because of that early file"
        : "";
  }

  private Optional<ReplayStart> fromTheFirst(
      String id,
      SourcePlan source,
      Location table,
      DeltaOffset end,
      First first,
      DeltaFacts facts,
      long last)
      throws IOException {
    if (first.initialSnapshot().isPresent()) {
      return snapshot(
          id,
          table,
          end,
          first.initialSnapshot().getAsLong(),
          "every event may be needed, and the query began with the table as it was at version "
              + first.initialSnapshot().getAsLong());
    }
    long version = first.startingVersion().orElse(facts.earliest());
    if (first.startingVersion().isEmpty()) {
      unknownBeginning(table, version, first);
    } else if (facts.earliest() > version) {
      reasons.gone(
          table.toString(),
          "every event may be needed, and the commits before version "
              + facts.earliest()
              + " are gone");
    }
    DeltaReach reach =
        new DeltaReaches(store, table, source.eventTime().orElse(""))
            .find(
                Math.max(version, facts.earliest()),
                last,
                end.index() >= 0 ? end.index() + 1 : Long.MAX_VALUE,
                Instant.MIN.plusSeconds(1));
    check(table, source, reach);
    return Optional.of(
        new ReplayStart(
            id,
            text(end, version, false),
            json(text(end, version, false)),
            reach.files(),
            reach.bytes(),
            boxed(reach.records()),
            boxed(reach.neededRecords()),
            "every event may be needed, and the query began at version " + version));
  }

  private void unknownBeginning(Location table, long version, First first) {
    reasons.inexact(
        table.toString(),
        "the replay would begin at version "
            + version
            + ", and the old checkpoint tells only that the query had reached version "
            + first.seen()
            + " by its oldest batch: it may have begun after version "
            + version
            + ", and would be given records that it never read",
        "say where the query once began: sources: [{delta: ..., options: {startingVersion: N}}],"
            + " 0 where it began with the whole table");
  }

  private void check(Location table, SourcePlan source, DeltaReach reach) {
    boolean isTolerant =
        source.options().entrySet().stream()
            .filter(option -> option.getValue().value().equalsIgnoreCase("true"))
            .map(option -> option.getKey().toLowerCase(java.util.Locale.ROOT))
            .anyMatch(TOLERATES_CHANGES::contains);
    if (!reach.rewriting().isEmpty() && !isTolerant) {
      reasons.inexact(
          table.toString(),
          "version "
              + reach.rewriting().first()
              + " deletes or changes rows, where the source stops unless it was told to skip or to"
              + " ignore such commits",
          "give the source's own option in the plan (options: {skipChangeCommits: true},"
              + " ignoreDeletes or ignoreChanges), as the old and the new query have it");
    }
    if (!reach.vacuumed().isEmpty()) {
      long version = reach.vacuumed().firstKey();
      reasons.add(
          Finding.error(
              FindingCode.DELTA_FILES_VACUUMED,
              table.toString(),
              "files that are to be read again are gone, the first of them added by version "
                  + version
                  + ": "
                  + reach.vacuumed().get(version).get(0),
              "restore them from a copy; otherwise the state cannot be rebuilt from this table, and"
                  + " strategy relocate, which takes it along, is the way"));
    }
  }

  /**
   * Whether the query was there before a commit, and so has read it: a query starts no later than
   * at what is the newest version then.
   */
  private boolean isOlderThan(OptionalLong committedMs) {
    return committedMs.isPresent()
        && checkpoint.files().stream()
            .filter(file -> file.path().equals("metadata"))
            .anyMatch(file -> file.modified().toEpochMilli() < committedMs.getAsLong());
  }

  /**
   * What the old checkpoint and the plan tell of the query's own beginning; positions only grow, so
   * that the oldest plan that is kept tells most.
   */
  private First first(String id, SourcePlan source, DeltaOffset end) throws IOException {
    DeltaOffset oldest = oldest(id).orElse(end);
    OptionalLong snapshot =
        oldest.initialSnapshot() ? OptionalLong.of(oldest.version()) : OptionalLong.empty();
    OptionalLong starting = OptionalLong.empty();
    for (var option : source.options().entrySet()) {
      if (option.getKey().equalsIgnoreCase("startingVersion")
          && option.getValue().value().matches("[0-9]{1,18}")) {
        starting = OptionalLong.of(Long.parseLong(option.getValue().value()));
      }
    }
    return new First(starting, snapshot, oldest.version(), lastRead(oldest));
  }

  private Optional<DeltaOffset> oldest(String id) throws IOException {
    CheckpointReader reader = new CheckpointReader(store);
    for (long batch : checkpoint.offsets().batches()) {
      Optional<SourceOffset> offset =
          reader
              .offsets(checkpoint.location(), batch)
              .readable()
              .flatMap(log -> log.source(id))
              .map(line -> SourceOffsets.decode(line.raw(), Optional.of(SourceKind.DELTA)));
      if (offset.isPresent() && offset.get() instanceof DeltaOffset delta) {
        return Optional.of(delta);
      }
    }
    return Optional.empty();
  }

  /** The last version of which something is read at a position. */
  private static long lastRead(DeltaOffset offset) {
    return offset.index() >= 0 || offset.initialSnapshot()
        ? offset.version()
        : offset.version() - 1;
  }

  /** From the beginning of a snapshot, if it can still be read. */
  private Optional<ReplayStart> snapshot(
      String id, Location table, DeltaOffset end, long version, String why) throws IOException {
    DeltaReaches.Snapshot files;
    try {
      files = DeltaReaches.snapshot(store, table, version);
    } catch (IOException unreadable) {
      reasons.gone(
          table.toString(),
          "the table as it was at version "
              + version
              + " cannot be read any more: "
              + unreadable.getMessage());
      return Optional.empty();
    }
    if (files.gone().isPresent()) {
      reasons.gone(
          table.toString(),
          "a file of the table as it was at version "
              + version
              + " is gone: "
              + files.gone().get());
    }
    String text = text(end, version, true);
    return Optional.of(new ReplayStart(id, text, json(text), files.files(), null, null, null, why));
  }

  /** The offset before everything of a version, in the oldest form, which every Delta reads. */
  private static String text(DeltaOffset end, long version, boolean isSnapshot) {
    ObjectNode node = ((ObjectNode) end.json()).deepCopy();
    node.put("sourceVersion", 1)
        .put("reservoirVersion", version)
        .put("index", DeltaOffset.BASE_INDEX)
        .put("isStartingVersion", isSnapshot);
    return node.toString();
  }

  private static String raw(DeltaOffset end) {
    return end.json().toString();
  }

  private static JsonNode json(String text) {
    return Json.parseObject(text).orElseThrow();
  }

  private static Long boxed(OptionalLong number) {
    return number.isPresent() ? (Long) number.getAsLong() : null;
  }
}
