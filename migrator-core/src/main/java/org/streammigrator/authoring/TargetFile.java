package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.embedded.RewrittenFile;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Overlay;
import org.streammigrator.storage.Store;

/**
 * A file of a checkpoint that is going to be written.
 *
 * <p>Its bytes are the same however often they are asked for, while the old checkpoint is the same.
 */
public sealed interface TargetFile {

  /** Its path inside the new checkpoint. */
  String path();

  /** Its size in bytes. */
  long size();

  /** Its modification time. */
  Instant modified();

  /**
   * Its bytes, read again each time they are asked for, and never held as a whole.
   *
   * @param store where the old checkpoint is
   * @param old the old checkpoint
   */
  Content content(Store store, Location old);

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

    @Override
    public Content content(Store store, Location old) {
      return out -> {
        try (InputStream in = store.open(old.child(from.path()))) {
          in.transferTo(out);
        }
      };
    }
  }

  /** A file of the old checkpoint with the paths that it embeds rewritten. */
  record Rewritten(String path, RewrittenFile from) implements TargetFile {
    public Rewritten {
      requireNonNull(path, "path");
      requireNonNull(from, "from");
    }

    @Override
    public long size() {
      return from.counts().bytes();
    }

    @Override
    public Instant modified() {
      return from.file().modified();
    }

    @Override
    public Content content(Store store, Location old) {
      return out -> {
        try (InputStream in = store.open(old.child(from.file().path()))) {
          from.rewriting().rewrite(in, out);
        }
      };
    }
  }

  /** A file of the old checkpoint as it is seen through an overlay. */
  record Seen(TargetFile file, Overlay overlay) implements TargetFile {
    public Seen {
      requireNonNull(file, "file");
      requireNonNull(overlay, "overlay");
    }

    @Override
    public String path() {
      return file.path();
    }

    @Override
    public long size() {
      return file.size();
    }

    @Override
    public Instant modified() {
      return file.modified();
    }

    @Override
    public Content content(Store store, Location old) {
      return file.content(overlay.over(store), old);
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

    @Override
    public Content content(Store store, Location old) {
      return Content.of(bytes());
    }
  }

  /** A file whose bytes are made. */
  record Made(String path, ByteBuffer bytes, Instant modified) implements TargetFile {
    public Made {
      requireNonNull(path, "path");
      bytes = bytes.asReadOnlyBuffer();
      requireNonNull(modified, "modified");
    }

    @Override
    public long size() {
      return bytes.remaining();
    }

    @Override
    public Content content(Store store, Location old) {
      byte[] copy = new byte[bytes.remaining()];
      bytes.duplicate().get(copy);
      return Content.of(copy);
    }
  }
}
