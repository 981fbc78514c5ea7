package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Tells how much is read of the files that count, and how many were read to their end. A file that
 * is read again from its beginning counts once.
 */
public final class MeteredStore extends ForwardingStore {
  private final CopyProgress progress;
  private final Predicate<Location> counts;
  private final Map<Location, Counted> opened = new ConcurrentHashMap<>();

  /**
   * A store that tells.
   *
   * @param counts whether a file counts
   */
  public MeteredStore(Store store, CopyProgress progress, Predicate<Location> counts) {
    super(store);
    this.progress = requireNonNull(progress, "progress");
    this.counts = requireNonNull(counts, "counts");
  }

  @Override
  public InputStream open(Location file) throws IOException {
    InputStream in = super.open(file);
    if (!counts.test(file)) {
      return in;
    }
    Counted counted = new Counted(in);
    Counted before = opened.put(file, counted);
    if (before != null) {
      before.takeBack();
    }
    return counted;
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    InputStream in = super.open(file, offset);
    return counts.test(file) ? new Counted(in) : in;
  }

  private final class Counted extends FilterInputStream {
    private long moved;
    private boolean ended;

    private Counted(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = in.read();
      count(value < 0 ? -1 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      count(read);
      return read;
    }

    @Override
    public long skip(long count) throws IOException {
      long skipped = in.skip(count);
      moved(skipped);
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private void moved(long bytes) {
      moved += bytes;
      progress.moved(bytes);
    }

    private void takeBack() {
      progress.moved(-moved);
      progress.done(ended ? -1 : 0);
      moved = 0;
    }

    private void count(int read) {
      if (read > 0) {
        moved(read);
      } else if (read < 0 && !ended) {
        ended = true;
        progress.done(1);
      }
    }
  }
}
