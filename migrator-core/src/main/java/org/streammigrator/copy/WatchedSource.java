package org.streammigrator.copy;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Instant;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A file to be copied that tells how far it is. However often its bytes are asked for, they count
 * once.
 */
final class WatchedSource implements CopySource {
  private final CopySource source;
  private final CopyProgress progress;
  private long counted;

  WatchedSource(CopySource source, CopyProgress progress) {
    this.source = source;
    this.progress = progress;
  }

  /** The file is at the target, whether its bytes went through here or not. */
  void done() {
    progress.moved(source.size() - counted);
    progress.done(1);
  }

  @Override
  public String path() {
    return source.path();
  }

  @Override
  public long size() {
    return source.size();
  }

  @Override
  public Instant modified() {
    return source.modified();
  }

  @Override
  public Optional<StoreEntry> stored() {
    return source.stored();
  }

  @Override
  public Optional<CopySource> checksumOf() {
    return source.checksumOf();
  }

  @Override
  public Content content(Store store) {
    Content content = source.content(store);
    return out -> {
      if (counted > 0) {
        progress.moved(-counted);
        counted = 0;
      }
      Counted through = new Counted(out);
      content.writeTo(through);
      through.flush();
    };
  }

  private final class Counted extends FilterOutputStream {
    private Counted(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      count(1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      out.write(bytes, offset, length);
      count(length);
    }

    private void count(int bytes) {
      counted += bytes;
      progress.moved(bytes);
    }
  }
}
