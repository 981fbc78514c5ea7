package org.streammigrator.jobs.lake;

import static scala.jdk.javaapi.CollectionConverters.asJava;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.spark.sql.delta.DeltaLog;
import org.apache.spark.sql.delta.Snapshot;
import org.apache.spark.sql.delta.actions.Action;
import org.apache.spark.sql.delta.actions.AddFile;
import org.apache.spark.sql.delta.actions.CommitInfo;
import org.apache.spark.sql.delta.actions.RemoveFile;
import org.apache.spark.sql.delta.actions.SetTransaction;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRefusedException;

/** What a commit of a table's log says; like {@link DeltaLakeTable} by Delta's own classes. */
record DeltaCommit(long version, List<Action> actions) {

  /**
   * Reads a commit.
   *
   * @throws JobRefusedException if it is not retained
   */
  static DeltaCommit read(Snapshot snapshot, long version) {
    Iterator<DeltaCommit> commits = between(snapshot.deltaLog(), version, version);
    if (!commits.hasNext()) {
      throw gone(snapshot, version);
    }
    return commits.next();
  }

  /** Reads the commits from one version to another, both included, that are retained. */
  static Iterator<DeltaCommit> between(DeltaLog log, long first, long last) {
    if (first > last) {
      return Collections.emptyIterator();
    }
    scala.collection.Iterator<DeltaCommit> commits =
        log.getChanges(first, last, scala.Option.empty(), false)
            .map(commit -> new DeltaCommit((Long) commit._1(), List.copyOf(asJava(commit._2()))));
    return asJava(commits);
  }

  /**
   * The table as a version left it.
   *
   * @throws JobRefusedException if it cannot be put together any more
   */
  static Snapshot snapshot(Snapshot snapshot, long version) {
    try {
      DeltaLog log = snapshot.deltaLog();
      return log.getSnapshotAt(version, scala.Option.empty(), scala.Option.empty(), false);
    } catch (RuntimeException unreadable) {
      throw gone(snapshot, version);
    }
  }

  private static JobRefusedException gone(Snapshot snapshot, long version) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.DELTA_VERSION_MISSING,
            snapshot.dataPath().toString(),
            "the log of version " + version + " is not retained any more",
            "name a later version, if there is one that serves"));
  }

  /** The first RESTORE after a version to one before it, or to a time; empty if there is none. */
  static OptionalLong restoreAfter(Snapshot snapshot, long version) {
    Iterator<DeltaCommit> commits = between(snapshot.deltaLog(), version + 1, snapshot.version());
    while (commits.hasNext()) {
      DeltaCommit commit = commits.next();
      for (Action action : commit.actions()) {
        if (action instanceof CommitInfo info && restoresBefore(info, version)) {
          return OptionalLong.of(commit.version());
        }
      }
    }
    return OptionalLong.empty();
  }

  /** As {@code DeltaOperations.Restore} writes it: a version in digits, or a time. */
  private static boolean restoresBefore(CommitInfo info, long version) {
    if (!info.operation().equals(FileAges.RESTORE)) {
      return false;
    }
    String target = info.operationParameters().getOrElse("version", () -> "");
    return target == null || !target.matches("\\d{1,18}") || Long.parseLong(target) < version;
  }

  /** Its note; null if it has none. */
  String note() {
    for (Action action : actions) {
      if (action instanceof CommitInfo info && info.userMetadata().isDefined()) {
        return info.userMetadata().get();
      }
    }
    return null;
  }

  /** Whether it is one of a run with this id. */
  boolean records(String id) {
    return actions.stream()
        .anyMatch(action -> action instanceof SetTransaction run && run.appId().equals(id));
  }

  /** The files that it removes. */
  List<RemoveFile> removed() {
    List<RemoveFile> removed = new ArrayList<>();
    for (Action action : actions) {
      if (action instanceof RemoveFile file) {
        removed.add(file);
      }
    }
    return removed;
  }

  /** What it does to files. */
  FileAges.Commit files() {
    String operation = "";
    boolean changesData = false;
    Set<String> added = new HashSet<>();
    Set<String> removed = new HashSet<>();
    for (Action action : actions) {
      if (action instanceof CommitInfo info) {
        operation = info.operation();
      } else if (action instanceof AddFile file) {
        added.add(file.path());
        changesData |= file.dataChange();
      } else if (action instanceof RemoveFile file) {
        removed.add(file.path());
        changesData |= file.dataChange();
      }
    }
    return new FileAges.Commit(version, operation, changesData, added, removed);
  }
}
