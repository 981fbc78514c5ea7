package org.streammigrator.checkpoint.codec;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** A stream of blocks, each of them decoded whole before it is handed out. */
abstract class BlockInputStream extends InputStream {
  static final int LARGEST_BLOCK = 64 << 20;

  private final InputStream in;
  private byte[] block = new byte[0];
  private int at;
  private boolean ended;

  BlockInputStream(InputStream in) {
    this.in = Objects.requireNonNull(in, "in");
  }

  /**
   * The next block; null at the end of the stream.
   *
   * @throws IOException if the stream is damaged or cut off
   */
  abstract byte[] next(InputStream in) throws IOException;

  private boolean fill() throws IOException {
    while (!ended && at == block.length) {
      byte[] next = next(in);
      ended = next == null;
      block = ended ? new byte[0] : next;
      at = 0;
    }
    return !ended;
  }

  @Override
  public final int read() throws IOException {
    return fill() ? block[at++] & 0xff : -1;
  }

  @Override
  public final int read(byte[] into, int from, int length) throws IOException {
    Objects.checkFromIndexSize(from, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int copied = Math.min(length, block.length - at);
    System.arraycopy(block, at, into, from, copied);
    at += copied;
    return copied;
  }

  @Override
  public final void close() throws IOException {
    in.close();
  }

  /** Exactly so many bytes. */
  static byte[] exactly(InputStream in, int length) throws IOException {
    if (length < 0 || length > LARGEST_BLOCK) {
      throw new IOException("a compressed block claims to have " + length + " bytes");
    }
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new IOException("it ends in the middle of a compressed block");
    }
    return bytes;
  }

  static IOException broken(String what) {
    return new IOException("a compressed block is damaged: " + what);
  }
}
