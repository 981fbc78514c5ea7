package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.security.MessageDigest;

/**
 * Counts and hashes the bytes that are written through it. Closing flushes the stream below and
 * leaves it open. Not for several threads.
 */
public final class HashingOutputStream extends OutputStream {
  private final OutputStream out;
  private final MessageDigest digest = Sha256.digest();
  private long count;

  public HashingOutputStream(OutputStream out) {
    this.out = requireNonNull(out, "out");
  }

  @Override
  public void write(int value) throws IOException {
    out.write(value);
    digest.update((byte) value);
    count++;
  }

  @Override
  public void write(byte[] buffer, int offset, int length) throws IOException {
    out.write(buffer, offset, length);
    digest.update(buffer, offset, length);
    count += length;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public void close() throws IOException {
    out.flush();
  }

  /** The number of bytes written. */
  public long count() {
    return count;
  }

  /** SHA-256 of the bytes written so far, as 64 hexadecimal digits. */
  public String sha256() {
    return Sha256.hex(snapshot());
  }

  MessageDigest snapshot() {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", impossible);
    }
  }
}
