package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A file that embeds paths, and what rewriting it comes to.
 *
 * @param file the file as it is
 * @param rewriting what is done to it
 * @param counts what was found when it was read
 */
public record RewrittenFile(CheckpointFile file, LogRewriting rewriting, RewriteCounts counts) {

  public RewrittenFile {
    requireNonNull(file, "file");
    requireNonNull(rewriting, "rewriting");
    requireNonNull(counts, "counts");
  }

  /**
   * Reads a file once to find out what rewriting it comes to.
   *
   * @param root the directory that the file's path is relative to
   */
  public static RewrittenFile read(
      Store store, Location root, CheckpointFile file, LogRewriting rewriting) throws IOException {
    try (InputStream in = store.open(root.child(file.path()))) {
      return new RewrittenFile(
          file, rewriting, rewriting.rewrite(in, OutputStream.nullOutputStream()));
    }
  }

  /** Whether rewriting changes anything. */
  public boolean changes() {
    return counts.rewritten() > 0;
  }
}
