package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.TreeSet;
import org.streammigrator.checkpoint.source.SourceKind;

/**
 * What a source keeps for itself in {@code sources/<id>}.
 *
 * @param source the source's id
 * @param hint the kind of source that writes such files; empty if several do, or none known
 * @param initialOffset the offset that the source starts at before a batch is committed; empty if
 *     it keeps none
 * @param log the names in it, read as those of a file source's log
 * @param shardCommits how far the batches of a Kinesis source read; empty if that is kept elsewhere
 */
public record SourceDirectory(
    String source,
    Optional<SourceKind> hint,
    Optional<String> initialOffset,
    FileSourceLog log,
    Optional<ShardCommits> shardCommits) {
  public SourceDirectory {
    requireNonNull(source, "source");
    requireNonNull(hint, "hint");
    requireNonNull(initialOffset, "initialOffset");
    requireNonNull(log, "log");
    requireNonNull(shardCommits, "shardCommits");
  }

  /** The directory of a source that keeps nothing. */
  static SourceDirectory empty(String source) {
    return new SourceDirectory(
        source,
        Optional.empty(),
        Optional.empty(),
        new FileSourceLog(source, new TreeSet<>(), new TreeSet<>(), FileSourceLog.Seen.NOTHING),
        Optional.empty());
  }
}
