package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * The files of a checkpoint that embed absolute paths: the logs of its file sources name input
 * files; the schema logs of Delta sources and the metadata (version 2) of stateful operators name
 * the checkpoint itself. Nothing else that Spark 4.2 or Delta 4.4 write into a checkpoint does.
 */
public final class EmbeddedFiles {
  private static final Pattern SOURCE_LOG =
      Pattern.compile("sources/([^/]+)/[0-9]+(?:\\.compact)?");
  private static final Pattern SCHEMA_LOG = Pattern.compile("(?:.*/)?_schema_log_[^/]+/[0-9]+");
  private static final Pattern OPERATOR_METADATA =
      Pattern.compile("state/[0-9]+/_metadata/v2/[0-9]+");

  private EmbeddedFiles() {}

  /** The kind of log that a file of a checkpoint is; empty if it embeds no path. */
  public static Optional<EmbeddedIn> kind(Checkpoint checkpoint, CheckpointFile file) {
    // Nearly every file is one of state; patterns are not worth their time there.
    String path = file.path();
    boolean source = path.startsWith("sources/");
    boolean schema = path.contains("_schema_log_");
    boolean metadata = path.startsWith("state/") && path.contains("/_metadata/v2/");
    if (!(source || schema || metadata) || !file.isFile() || checkpoint.inNested(path)) {
      return Optional.empty();
    }
    Matcher log = SOURCE_LOG.matcher(path);
    if (log.matches()) {
      return checkpoint
          .sourceDirectory(log.group(1))
          .hint()
          .filter(hint -> hint == SourceKind.FILES)
          .map(hint -> EmbeddedIn.FILE_LOG);
    }
    if (schema && SCHEMA_LOG.matcher(path).matches()) {
      return Optional.of(EmbeddedIn.SCHEMA_LOG);
    }
    return metadata && OPERATOR_METADATA.matcher(path).matches()
        ? Optional.of(EmbeddedIn.OPERATOR_METADATA)
        : Optional.empty();
  }

  /**
   * Reads what embeds paths. The logs of file sources, which may be large, are read once, and only
   * if places moved that the user names.
   *
   * <p>What names the checkpoint itself may name a place where it was before it came to the old
   * one, by a copy that rewrote nothing. That place is recognised by what follows it: {@code
   * sources/} with the id of a source, or a state schema file that the checkpoint has.
   *
   * @param own where the checkpoint itself, or parts of it, go
   * @param moved the places that the user says have moved
   */
  public static List<RewrittenFile> read(
      Store store, Checkpoint checkpoint, PrefixMap own, PrefixMap moved) throws IOException {
    requireNonNull(store, "store");
    List<RewrittenFile> files = new ArrayList<>();
    for (CheckpointFile file : checkpoint.files()) {
      Optional<EmbeddedIn> kind = kind(checkpoint, file);
      if (kind.equals(Optional.of(EmbeddedIn.FILE_LOG))) {
        if (!moved.rules().isEmpty()) {
          files.add(
              RewrittenFile.read(
                  store, checkpoint.location(), file, new LogRewriting(kind.get(), moved)));
        }
      } else if (kind.isPresent()) {
        files.add(readOwn(store, checkpoint, file, kind.get(), own, moved));
      }
    }
    return List.copyOf(files);
  }

  private static RewrittenFile readOwn(
      Store store,
      Checkpoint checkpoint,
      CheckpointFile file,
      EmbeddedIn kind,
      PrefixMap own,
      PrefixMap moved)
      throws IOException {
    PrefixMap rules = own.and(moved);
    while (true) {
      RewrittenFile rewritten =
          RewrittenFile.read(store, checkpoint.location(), file, new LogRewriting(kind, rules));
      Optional<Location> before =
          rewritten.counts().firstUncovered().flatMap(path -> formerPlace(checkpoint, kind, path));
      if (before.isEmpty()) {
        return rewritten;
      }
      // A rule for the place now covers the path, so that this ends.
      rules = rules.and(own.rebased(checkpoint.location(), before.get()));
    }
  }

  /** The place of the checkpoint by which a path names a part of it. */
  private static Optional<Location> formerPlace(
      Checkpoint checkpoint, EmbeddedIn kind, String path) {
    String directory = kind == EmbeddedIn.SCHEMA_LOG ? "/sources/" : "/state/";
    for (int at = path.lastIndexOf(directory); at > 0; at = path.lastIndexOf(directory, at - 1)) {
      String below = path.substring(at + 1);
      boolean part =
          kind == EmbeddedIn.SCHEMA_LOG
              ? hasSource(checkpoint, below.substring("sources/".length()))
              : checkpoint.entry(below).filter(CheckpointFile::isFile).isPresent();
      if (part) {
        try {
          return Optional.of(Location.parse(path.substring(0, at), Path.of("/")));
        } catch (IllegalArgumentException noPlace) {
          return Optional.empty();
        }
      }
    }
    return Optional.empty();
  }

  private static boolean hasSource(Checkpoint checkpoint, String id) {
    return checkpoint
        .plannedOffsets()
        .or(checkpoint::committedOffsets)
        .filter(log -> log.source(id).isPresent())
        .isPresent();
  }
}
