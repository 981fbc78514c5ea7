package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.streammigrator.checkpoint.CheckpointFile;

/** A file of a checkpoint that is going to be written. */
public sealed interface TargetFile {

  /** Its path inside the new checkpoint. */
  String path();

  /** Its size in bytes. */
  long size();

  /** Its modification time. */
  Instant modified();

  /** A file of the old checkpoint, byte for byte; it may stand under another path. */
  record Copied(String path, CheckpointFile from) implements TargetFile {
    public Copied {
      requireNonNull(path, "path");
      requireNonNull(from, "from");
    }

    @Override
    public long size() {
      return from.size();
    }

    @Override
    public Instant modified() {
      return from.modified();
    }
  }

  /** A file whose text is authored; it is written as UTF-8. */
  record Authored(String path, String text, Instant modified) implements TargetFile {
    public Authored {
      requireNonNull(path, "path");
      requireNonNull(text, "text");
      requireNonNull(modified, "modified");
    }

    /** The file's bytes. */
    public byte[] bytes() {
      return text.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public long size() {
      return bytes().length;
    }
  }
}
