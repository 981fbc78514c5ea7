package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.TargetFile;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.embedded.EmbeddedIn;
import org.streammigrator.checkpoint.embedded.LogRewriting;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.embedded.RewrittenFile;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Looks at file sinks whose output directory moved. Their log {@code _spark_metadata} names every
 * output file by its full path, so that at the new place a reader finds nothing by it.
 */
final class SinkLogSurvey {

  /** The name that a user gives to a log that was moved along with the data. */
  static final String MOVED_LOG = FileSinks.LOG + ".moved";

  private final Store store;

  SinkLogSurvey(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The log that tells what a sink has, if that is not simply the one in its directory.
   *
   * @param moves gets the sink's move, if its log is still to be written
   * @return the old log of a sink that moved; empty for every other sink
   */
  Optional<Location> log(
      StreamPlan stream, SinkPlan sink, List<Finding> findings, List<SinkMove> moves)
      throws IOException {
    return log(stream, sink, OptionalLong.empty(), findings, moves);
  }

  /**
   * The same, with what came after a batch left out of the log at the new place.
   *
   * @param through the last batch whose entry is carried over; all are if empty
   */
  Optional<Location> log(
      StreamPlan stream,
      SinkPlan sink,
      OptionalLong through,
      List<Finding> findings,
      List<SinkMove> moves)
      throws IOException {
    Optional<Location> before = Moves.formerOutput(stream, sink);
    if (before.isEmpty()) {
      return Optional.empty();
    }
    Location now = sink.address().location().orElseThrow();
    if (!now.isLocal()) {
      return Optional.empty();
    }
    PrefixMap rules = Moves.data(stream);
    Location newLog = now.child(FileSinks.LOG);
    List<CheckpointFile> there = entries(newLog);
    Location oldLog = before.get().child(FileSinks.LOG);
    List<CheckpointFile> old = oldLog.isLocal() ? entries(oldLog) : List.of();
    if (old.isEmpty()) {
      oldLog = now.child(MOVED_LOG);
      old = entries(oldLog);
    }
    if (through.isPresent()) {
      old = cut(oldLog, old, through.getAsLong(), findings);
      if (there.stream().anyMatch(file -> number(file) > through.getAsLong())) {
        findings.add(
            taken(
                newLog,
                "it has entries after batch " + through.getAsLong() + ", which is gone back to",
                "rename it to " + MOVED_LOG + ", and what is left will be written from it"));
        return Optional.empty();
      }
    }
    if (!there.isEmpty()) {
      return settled(newLog, there, oldLog, old, rules, findings);
    }
    if (old.isEmpty()) {
      return Optional.empty();
    }
    moves.add(move(oldLog, old, newLog, rules, findings));
    new MovedOutput(store, oldLog, now, rules).check(old, findings);
    return Optional.of(oldLog);
  }

  /** A log that is at the new place already: it has to be the old one, rewritten. */
  private Optional<Location> settled(
      Location newLog,
      List<CheckpointFile> there,
      Location oldLog,
      List<CheckpointFile> old,
      PrefixMap rules,
      List<Finding> findings)
      throws IOException {
    Map<String, Long> sizes = new HashMap<>();
    for (CheckpointFile file : there) {
      sizes.put(file.path(), file.size());
      if (read(newLog, file, rules).changes()) {
        findings.add(
            taken(
                newLog,
                "it names files at the old place: it was copied along with them",
                old.isEmpty()
                    ? "rename it to " + MOVED_LOG + ", and its new form will be written from it"
                    : "remove it; its new form will be written from " + oldLog));
        return Optional.empty();
      }
    }
    for (CheckpointFile file : old) {
      Long size = sizes.get(file.path());
      if (size == null || size != read(oldLog, file, rules).counts().bytes()) {
        findings.add(
            taken(
                newLog,
                "it is not what " + oldLog + " is with the new paths: " + file.path() + " differs",
                "find out which query wrote there; if none needs it, remove it"));
        return Optional.empty();
      }
    }
    return Optional.empty();
  }

  /**
   * A log without its entries after a batch. A compact entry says of no file which batch wrote it,
   * so that what is only in one of later cannot be told from the rest.
   */
  private static List<CheckpointFile> cut(
      Location log, List<CheckpointFile> entries, long last, List<Finding> findings) {
    TreeSet<Long> plain = new TreeSet<>();
    TreeSet<Long> compact = new TreeSet<>();
    List<CheckpointFile> kept = new ArrayList<>();
    for (CheckpointFile file : entries) {
      if (number(file) <= last) {
        kept.add(file);
        if (number(file) >= 0) {
          (file.name().endsWith(".compact") ? compact : plain).add(number(file));
        }
      }
    }
    FileSourceLog left = new FileSourceLog("sink", plain, compact, FileSourceLog.Seen.NOTHING);
    if (!entries.isEmpty() && (left.newest() < last || !left.missing(last, last).isEmpty())) {
      findings.add(
          Finding.error(
              FindingCode.FILE_SINK_LOG_AHEAD,
              log.toString(),
              "what it had up to batch "
                  + last
                  + " is compacted into an entry of later, which says of no file which batch wrote"
                  + " it: it cannot be cut there",
              "go back to a batch since whose compact entry none is missing, if there is one"));
    }
    return kept;
  }

  /** The number of an entry, as both logs of file streams name them; -1 for another file. */
  private static long number(CheckpointFile file) {
    String name = file.name().replaceFirst("\\.compact$", "");
    return name.matches("[0-9]{1,18}") ? Long.parseLong(name) : -1;
  }

  private SinkMove move(
      Location oldLog,
      List<CheckpointFile> old,
      Location newLog,
      PrefixMap rules,
      List<Finding> findings)
      throws IOException {
    List<TargetFile> files = new ArrayList<>();
    for (CheckpointFile file : old) {
      RewrittenFile rewritten = read(oldLog, file, rules);
      if (rewritten.counts().uncovered() > 0) {
        findings.add(
            Finding.error(
                FindingCode.ABSOLUTE_PATHS,
                oldLog.child(file.path()).toString(),
                "it names "
                    + rewritten.counts().uncovered()
                    + " files that no rule of `rewrite` covers, the first is "
                    + rewritten.counts().firstUncovered().orElseThrow()
                    + ": readers of the new place would look for them there",
                "add a rule for their place, from and to alike if it has not moved"));
      }
      files.add(
          rewritten.changes()
              ? new TargetFile.Rewritten(file.path(), rewritten)
              : new TargetFile.Copied(file.path(), file));
    }
    Draft draft =
        new Draft(
            files,
            null,
            OptionalLong.empty(),
            OptionalLong.empty(),
            Exactness.EXACT,
            "the log of a file sink, with the new paths of its files",
            List.of());
    return new SinkMove(
        oldLog, newLog, draft, Checkpoint.fingerprint(new CheckpointReader(store).list(oldLog)));
  }

  private RewrittenFile read(Location log, CheckpointFile file, PrefixMap rules)
      throws IOException {
    return RewrittenFile.read(store, log, file, new LogRewriting(EmbeddedIn.FILE_LOG, rules));
  }

  /** The log's files without leftovers and checksums; empty if there is no log. */
  private List<CheckpointFile> entries(Location log) throws IOException {
    try {
      return new CheckpointReader(store)
          .list(log).stream()
              .filter(file -> file.isFile() && !file.name().startsWith("."))
              .toList();
    } catch (NoSuchFileException | NotDirectoryException none) {
      return List.of();
    }
  }

  private static Finding taken(Location log, String message, String remedy) {
    return Finding.error(FindingCode.TARGET_NOT_EMPTY, log.toString(), message, remedy);
  }
}
