package org.streammigrator.copy;

import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The content of one zstd frame. Unlike the library's stream it stops at the end of the frame, so
 * that what follows can be told, and it tells a frame that is cut short from one that is damaged.
 * Memory is bounded by the decoder's own limit on windows, 128 MiB.
 */
final class FrameInputStream extends InputStream {
  private final InputStream in;
  private final ZstdDecompressCtx decoder = new ZstdDecompressCtx();
  private final ByteBuffer source = ByteBuffer.allocateDirect(1 << 16).limit(0);
  private final ByteBuffer decoded = ByteBuffer.allocateDirect(1 << 17).limit(0);
  private final byte[] chunk = new byte[1 << 16];
  private boolean begun;
  private boolean ended;
  private boolean decoderIsDry = true;

  FrameInputStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    return fill() ? decoded.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (!fill()) {
      return -1;
    }
    int given = Math.min(length, decoded.remaining());
    decoded.get(target, offset, given);
    return given;
  }

  /** Reads what follows the frame and gives the number of its bytes. */
  long bytesAfterFrame() throws IOException {
    long count = source.remaining();
    source.limit(0);
    for (int read = in.read(chunk); read >= 0; read = in.read(chunk)) {
      count += read;
    }
    return count;
  }

  /** Frees the decoder; leaves the stream below open. */
  @Override
  public void close() {
    decoder.close();
  }

  private boolean fill() throws IOException {
    while (!decoded.hasRemaining()) {
      if (ended) {
        return false;
      }
      if (!source.hasRemaining() && decoderIsDry) {
        refill();
      }
      decode();
    }
    return true;
  }

  private void refill() throws IOException {
    int read = begun ? in.read(chunk) : in.readNBytes(chunk, 0, chunk.length);
    if (read <= 0) {
      throw new BrokenArchiveException(
          Damage.Kind.TRUNCATED, "the archive ends in the middle of its compressed data");
    }
    if (!begun && read >= Integer.BYTES && !ArchiveFormat.isFrame(Arrays.copyOf(chunk, 4))) {
      throw new BrokenArchiveException(
          Damage.Kind.UNREADABLE, "the file does not begin as a zstd archive does");
    }
    begun = true;
    source.clear().put(chunk, 0, read).flip();
  }

  private void decode() throws IOException {
    decoded.clear();
    try {
      ended = decoder.decompressDirectByteBufferStream(decoded, source);
    } catch (ZstdException invalid) {
      decoded.limit(0);
      throw new BrokenArchiveException(
          Damage.Kind.UNREADABLE, "the compressed data is damaged (" + invalid.getMessage() + ")");
    }
    decoded.flip();
    decoderIsDry = decoded.limit() < decoded.capacity();
  }
}
