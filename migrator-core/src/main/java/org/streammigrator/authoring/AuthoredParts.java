package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/** What checkpoints that are made, and not copied, take from the old one. */
final class AuthoredParts {
  private final Checkpoint checkpoint;
  private final Optional<String> newQueryId;
  private final Optional<SourceMapping> mapping;
  private final EmbeddedPaths embedded;

  /**
   * @param newQueryId the id of the new query; empty to keep the old one
   * @param mapping where the new query's sources stood in the old log; empty if nothing changed
   * @param embedded the files that embed paths
   */
  AuthoredParts(
      Checkpoint checkpoint,
      Optional<String> newQueryId,
      Optional<SourceMapping> mapping,
      EmbeddedPaths embedded) {
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.newQueryId = requireNonNull(newQueryId, "newQueryId");
    this.mapping = requireNonNull(mapping, "mapping");
    this.embedded = requireNonNull(embedded, "embedded");
  }

  /** The sources' own files, and the schema logs of those that are kept. */
  List<TargetFile> sourceFiles() {
    List<TargetFile> files = new ArrayList<>();
    for (CheckpointFile file : checkpoint.filesBelow("sources")) {
      if (!isLeftover(file.name()) && !embedded.guards(file.path())) {
        newPath(file.path()).ifPresent(path -> files.add(embedded.target(path, file)));
      }
    }
    files.addAll(embedded.schemaLogs(this::isKept));
    return files;
  }

  /** What is to be said of the paths that those files embed. */
  List<Finding> findingsOfSources() {
    return embedded.findingsOfSources(checkpoint, this::isKept);
  }

  /** A plan's text with the sources in their new order. */
  String mapped(OffsetLog log, List<Finding> findings) {
    if (mapping.isEmpty()) {
      return log.text();
    }
    mapping.get().problem(log).ifPresent(findings::add);
    return Finding.anyError(findings) ? log.text() : mapping.get().apply(log);
  }

  private boolean isKept(String source) {
    return newPath("sources/" + source).isPresent();
  }

  private Optional<String> newPath(String path) {
    return mapping.isEmpty() ? Optional.of(path) : mapping.get().newPath(path);
  }

  /** Who the new query is; empty if that cannot be told. */
  Optional<QueryMetadata> metadata(List<Finding> findings) {
    if (newQueryId.isPresent()) {
      return Optional.of(QueryMetadata.of(newQueryId.get()));
    }
    Optional<QueryMetadata> old = checkpoint.metadata().readable();
    if (old.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.METADATA_MISSING,
              "metadata",
              "the query id is not known, so it cannot be kept",
              "put the file back as {\"id\":\"...\"} (the history of a Delta sink has the id as"
                  + " queryId), or take a new identity (identity: new)"));
    }
    return old;
  }

  /** The commit of the position's batch: its own, or that of the batch before it, moved on. */
  Optional<CommitLog> commit(long position, Optional<OffsetLog> offsets) {
    Optional<CommitLog> own = checkpoint.commits().file(position).readable();
    if (own.isPresent() || checkpoint.commits().batches().contains(position)) {
      return own;
    }
    long watermark =
        offsets.flatMap(OffsetLog::header).map(OffsetHeader::batchWatermarkMs).orElse(0L);
    OptionalLong committed = checkpoint.lastCommitted();
    Optional<CommitLog> before =
        committed.isPresent()
            ? checkpoint.commits().file(committed.getAsLong()).readable()
            : Optional.of(CommitLog.FIRST);
    return before.map(
        log -> log.withNextBatchWatermarkMs(Math.max(log.nextBatchWatermarkMs(), watermark)));
  }

  /** A file with the time that it has in the old checkpoint. */
  TargetFile authored(String path, String text) {
    return new TargetFile.Authored(path, text, modified(path));
  }

  /** The time of the file of that name in the old checkpoint, else of its newest file. */
  Instant modified(String path) {
    return checkpoint.files().stream()
        .filter(file -> file.path().equals(path))
        .map(CheckpointFile::modified)
        .findFirst()
        .or(
            () ->
                checkpoint.files().stream()
                    .filter(CheckpointFile::isFile)
                    .map(CheckpointFile::modified)
                    .max(Instant::compareTo))
        .orElse(Instant.EPOCH);
  }

  private static boolean isLeftover(String name) {
    return name.startsWith(".") && (name.endsWith(".crc") || name.endsWith(".tmp"));
  }
}
