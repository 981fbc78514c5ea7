package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Predicate;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Tells how much is read of the files that count, and how many were read to their end. */
public final class MeteredStore extends ForwardingStore {
  private final CopyProgress progress;
  private final Predicate<Location> counts;

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
    return counts.test(file) ? new Counted(in) : in;
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    InputStream in = super.open(file, offset);
    return counts.test(file) ? new Counted(in) : in;
  }

  private final class Counted extends FilterInputStream {
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
      progress.moved(skipped);
      return skipped;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private void count(int read) {
      if (read > 0) {
        progress.moved(read);
      } else if (read < 0 && !ended) {
        ended = true;
        progress.done(1);
      }
    }
  }
}
