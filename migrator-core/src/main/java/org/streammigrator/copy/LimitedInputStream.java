package org.streammigrator.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Fails when more is read than a manifest can be long. */
final class LimitedInputStream extends FilterInputStream {
  private long left;

  LimitedInputStream(InputStream in, long limit) {
    super(in);
    this.left = limit;
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
  public boolean markSupported() {
    return false;
  }

  private void spend(int bytes) throws IOException {
    left -= bytes;
    if (left < 0) {
      throw new InvalidManifestException("the manifest is larger than its archive can need");
    }
  }
}
