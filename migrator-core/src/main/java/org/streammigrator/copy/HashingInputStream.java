package org.streammigrator.copy;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.security.MessageDigest;

/** Counts and hashes the bytes that are read through it. Not for several threads. */
public final class HashingInputStream extends FilterInputStream {
  private final MessageDigest digest = Sha256.digest();
  private long count;

  public HashingInputStream(InputStream in) {
    super(in);
  }

  @Override
  public int read() throws IOException {
    int value = in.read();
    if (value >= 0) {
      digest.update((byte) value);
      count++;
    }
    return value;
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    int read = in.read(buffer, offset, length);
    if (read > 0) {
      digest.update(buffer, offset, read);
      count += read;
    }
    return read;
  }

  /** Reads and hashes what is passed over. */
  @Override
  public long skip(long bytes) throws IOException {
    byte[] buffer = new byte[(int) Math.max(1, Math.min(bytes, 8192))];
    long skipped = 0;
    while (skipped < bytes) {
      int read = read(buffer, 0, (int) Math.min(buffer.length, bytes - skipped));
      if (read < 0) {
        break;
      }
      skipped += read;
    }
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Reads to the end. */
  public void drain() throws IOException {
    transferTo(OutputStream.nullOutputStream());
  }

  /** The number of bytes read. */
  public long count() {
    return count;
  }

  /** SHA-256 of the bytes read, as 64 hexadecimal digits; asked once, at the end. */
  public String sha256() {
    return Sha256.hex(digest);
  }
}
