package org.streammigrator.jobs.lake;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Whether the rows of files came before some version of a Delta table or since, found by walking
 * over the commits since then. Commits that only add bring new rows. Commits that replace files
 * move rows that were there: what replaces old files is old, and what replaces new ones is new. Who
 * merges, overwrites, or replaces both kinds at once leaves files of which nobody knows.
 */
final class FileAges {
  /**
   * Operations that leave rows or change them, and bring none, as {@code DeltaOperations} names.
   */
  private static final Set<String> BRINGS_NO_ROWS = Set.of("DELETE", "UPDATE");

  /** The operation that brings back an earlier version. */
  static final String RESTORE = "RESTORE";

  /** What is known of a file. */
  enum Age {
    OLD,
    SINCE,
    UNKNOWN
  }

  /**
   * What a commit does to files.
   *
   * @param version the version it makes
   * @param operation its name; empty if it has none
   * @param changesData whether rows come or go, and not only move
   * @param added files that it adds, or describes anew
   * @param removed files that it removes, or describes anew
   */
  record Commit(
      long version,
      String operation,
      boolean changesData,
      Set<String> added,
      Set<String> removed) {}

  /** A file of which nobody knows, and the commit that wrote it. */
  private final Map<String, Commit> unknown = new HashMap<>();

  private final Map<String, Age> ages = new HashMap<>();

  /** Goes on with the next commit. */
  void add(Commit commit) {
    Set<String> added = new HashSet<>(commit.added());
    added.removeAll(commit.removed());
    added.removeAll(ages.keySet());
    Age age = age(commit);
    for (String file : added) {
      ages.put(file, age);
      if (age == Age.UNKNOWN) {
        unknown.put(file, commit);
      }
    }
  }

  /**
   * What is known of files that a commit brings. Their rows may come from each file that it
   * removes, also from one that stays with more rows marked as deleted, which it removes and adds.
   */
  private Age age(Commit commit) {
    if (commit.operation().equals(RESTORE)) {
      return Age.UNKNOWN;
    }
    if (commit.removed().isEmpty()) {
      // Files that are added without new data were there: their statistics or row ids came later.
      return commit.changesData() ? Age.SINCE : Age.OLD;
    }
    Set<Age> replaced = new HashSet<>();
    commit.removed().forEach(file -> replaced.add(of(file)));
    if (replaced.size() > 1) {
      return Age.UNKNOWN;
    }
    Age only = replaced.iterator().next();
    boolean moves = !commit.changesData() || BRINGS_NO_ROWS.contains(commit.operation());
    return moves || only == Age.SINCE ? only : Age.UNKNOWN;
  }

  /** What is known of a file. */
  Age of(String file) {
    return ages.getOrDefault(file, Age.OLD);
  }

  /** The commit that wrote a file of which nobody knows. */
  Commit writerOf(String file) {
    return unknown.get(file);
  }
}
