package org.streammigrator.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Limits what the tar reader may read for one header: it keeps names of any length in memory. */
final class HeaderBudgetInputStream extends FilterInputStream {
  private static final long HEADER_LIMIT = 1 << 20;

  private long budget = Long.MAX_VALUE;

  HeaderBudgetInputStream(InputStream in) {
    super(in);
  }

  void beginHeader() {
    budget = HEADER_LIMIT;
  }

  void endHeader() {
    budget = Long.MAX_VALUE;
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    spend(value < 0 ? 0 : 1);
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = in.read(buffer, offset, length);
    spend(Math.max(0, read));
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    long skipped = in.skip(Math.min(bytes, 1 << 16));
    spend(skipped);
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  private void spend(long bytes) throws IOException {
    if (budget != Long.MAX_VALUE) {
      budget -= bytes;
      if (budget < 0) {
        throw new BrokenArchiveException(
            Damage.Kind.UNREADABLE, "a header of the tar is larger than any real one");
      }
    }
  }
}
