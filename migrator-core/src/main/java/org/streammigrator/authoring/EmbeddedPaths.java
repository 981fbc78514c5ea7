package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.embedded.EmbeddedIn;
import org.streammigrator.checkpoint.embedded.RewriteCounts;
import org.streammigrator.checkpoint.embedded.RewrittenFile;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** The files of an old checkpoint that embed paths, as they have to be in the new one. */
public final class EmbeddedPaths {
  private final Map<String, RewrittenFile> byPath = new TreeMap<>();

  /**
   * Prepares the files.
   *
   * @param files what was read of the old checkpoint
   */
  public EmbeddedPaths(List<RewrittenFile> files) {
    requireNonNull(files, "files").forEach(file -> byPath.put(file.file().path(), file));
  }

  /**
   * A file of the old checkpoint as a file of the new one.
   *
   * @param path its path in the new one
   */
  TargetFile target(String path, CheckpointFile file) {
    RewrittenFile rewritten = byPath.get(file.path());
    return rewritten != null && rewritten.changes()
        ? new TargetFile.Rewritten(path, rewritten)
        : new TargetFile.Copied(path, file);
  }

  /**
   * Whether a file is the checksum of one that changes: {@code .NAME.crc} of Hadoop's local file
   * system, or {@code NAME.crc} of Spark 4.1. It is left out; one that is absent is not checked.
   */
  boolean guards(String path) {
    if (!path.endsWith(".crc")) {
      return false;
    }
    String guarded = path.substring(0, path.length() - ".crc".length());
    int name = guarded.lastIndexOf('/') + 1;
    boolean hidden = guarded.startsWith(".", name);
    return changes(guarded)
        || hidden && changes(guarded.substring(0, name) + guarded.substring(name + 1))
        || hidden && guards(guarded.substring(0, name) + guarded.substring(name + 1));
  }

  private boolean changes(String path) {
    RewrittenFile file = byPath.get(path);
    return file != null && file.changes();
  }

  /** What no rule covers. */
  List<Finding> findings(Checkpoint checkpoint) {
    return findings(checkpoint, file -> true);
  }

  /** What no rule covers in what sources keep for themselves. */
  List<Finding> findingsOfSources(Checkpoint checkpoint, Predicate<String> keptSources) {
    return findings(
        checkpoint,
        file ->
            file.rewriting().kind() != EmbeddedIn.OPERATOR_METADATA
                && source(file).filter(keptSources.negate()).isEmpty());
  }

  /** The entries of the schema logs of Delta sources that are kept. */
  List<TargetFile> schemaLogs(Predicate<String> keptSources) {
    return byPath.values().stream()
        .filter(file -> file.rewriting().kind() == EmbeddedIn.SCHEMA_LOG)
        .filter(file -> source(file).filter(keptSources.negate()).isEmpty())
        .map(file -> target(file.file().path(), file.file()))
        .toList();
  }

  /** The source that a file belongs to; empty if to none, or if that cannot be told. */
  private static Optional<String> source(RewrittenFile file) {
    String path =
        file.rewriting().kind() == EmbeddedIn.FILE_LOG
            ? file.file().path()
            : file.counts().sample().map(RewriteCounts.Sample::from).orElse("");
    int at = path.lastIndexOf("sources/");
    return at < 0
        ? Optional.empty()
        : Optional.of(path.substring(at + "sources/".length()).split("/")[0]);
  }

  private List<Finding> findings(Checkpoint checkpoint, Predicate<RewrittenFile> wanted) {
    List<Finding> findings = new ArrayList<>();
    Map<String, Uncovered> inputs = new TreeMap<>();
    for (RewrittenFile file : byPath.values()) {
      if (!wanted.test(file)) {
        continue;
      }
      if (file.rewriting().kind() == EmbeddedIn.FILE_LOG) {
        String source = source(file).orElseThrow();
        if (checkpoint
            .sourceDirectory(source)
            .log()
            .filesReadAtStart()
            .contains(file.file().name())) {
          inputs.computeIfAbsent(source, id -> new Uncovered()).add(file.counts());
        }
      } else if (file.counts().uncovered() > 0 || file.counts().unreadable() > 0) {
        findings.add(ownPath(file));
      }
    }
    inputs.forEach(
        (source, uncovered) -> {
          if (uncovered.files > 0) {
            findings.add(uncovered.finding(source));
          }
        });
    return findings;
  }

  private static Finding ownPath(RewrittenFile file) {
    RewriteCounts counts = file.counts();
    String what =
        file.rewriting().kind() == EmbeddedIn.SCHEMA_LOG
            ? "Delta stops with \"source metadata path … is different\""
            : "Spark would take the state's schema for missing, or go on depending on that place";
    return Finding.error(
        FindingCode.ABSOLUTE_PATHS,
        file.file().path(),
        counts.uncovered() > 0
            ? counts.uncovered()
                + " of the "
                + counts.entries()
                + " paths in this file, "
                + counts.firstUncovered().orElseThrow()
                + ", are not in the old checkpoint, and no rule of `rewrite` covers them: "
                + what
            : "this file holds " + counts.unreadable() + " lines that are no JSON object",
        counts.uncovered() > 0
            ? "if the checkpoint was moved there before, add a rule with that place as `from` and"
                + " the new checkpoint as `to`"
            : "restore the file from a copy of the checkpoint");
  }

  /** The input files of one source that would be read again. */
  private static final class Uncovered {
    private long entries;
    private long files;
    private String first;

    private void add(RewriteCounts counts) {
      entries += counts.entries();
      files += counts.uncovered();
      first = first == null ? counts.firstUncovered().orElse(null) : first;
    }

    private Finding finding(String source) {
      return Finding.warning(
          FindingCode.FILES_WOULD_BE_REINGESTED,
          "sources/" + source,
          files
              + " of the "
              + entries
              + " files that this source has read are under no `from` of `rewrite`, the first is "
              + first
              + ": where these files have moved they would be read again",
          "add a rule for their place, with names as they are in the file system (a blank, not"
              + " %20); from and to alike for a place that has not moved");
    }
  }
}
