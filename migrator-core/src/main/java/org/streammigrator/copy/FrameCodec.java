package org.streammigrator.copy;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import com.github.luben.zstd.ZstdDecompressCtx;
import com.github.luben.zstd.ZstdException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/** Makes and reads single zstd frames. For several threads, each of which borrows a context. */
final class FrameCodec implements AutoCloseable {
  private final Deque<ZstdCompressCtx> compressors = new ArrayDeque<>();
  private final Deque<ZstdDecompressCtx> decompressors = new ArrayDeque<>();

  /**
   * A frame: with a checksum and its content's size, and a function of its content alone.
   *
   * @param bytes begins with the length header, filled in
   */
  record Frame(byte[] bytes, int length) {}

  /** Compresses bytes to a frame with its length header. */
  Frame compress(byte[] content, int length) {
    ZstdCompressCtx compressor = borrowCompressor();
    try {
      byte[] bytes =
          new byte[ArchiveFormat.LENGTH_HEADER + Math.toIntExact(Zstd.compressBound(length))];
      // State files are compressed already: no level makes much less of them. What is not gets
      // more.
      int compressed = compress(compressor, ArchiveFormat.FAST_LEVEL, content, length, bytes);
      if (compressed < length / 2) {
        compressed = compress(compressor, ArchiveFormat.LEVEL, content, length, bytes);
      }
      byte[] header = ArchiveFormat.lengthHeader(compressed);
      System.arraycopy(header, 0, bytes, 0, header.length);
      return new Frame(bytes, header.length + compressed);
    } finally {
      synchronized (compressors) {
        compressors.add(compressor);
      }
    }
  }

  /**
   * Decompresses a frame that was made here, and compares.
   *
   * @return the content, as a reader gets it
   * @throws BrokenArchiveException if it is not what the frame was made of
   */
  byte[] readBack(Frame frame, byte[] content, int length) throws BrokenArchiveException {
    byte[] read = new byte[length];
    ZstdDecompressCtx decompressor = borrowDecompressor();
    try {
      int count =
          decompressor.decompressByteArray(
              read,
              0,
              length,
              frame.bytes(),
              ArchiveFormat.LENGTH_HEADER,
              frame.length() - ArchiveFormat.LENGTH_HEADER);
      if (count != length || !Arrays.equals(read, 0, length, content, 0, length)) {
        throw damaged("it holds other bytes than it was made of");
      }
      return read;
    } catch (ZstdException invalid) {
      throw damaged(invalid.getMessage());
    } finally {
      synchronized (decompressors) {
        decompressors.add(decompressor);
      }
    }
  }

  private static int compress(
      ZstdCompressCtx compressor, int level, byte[] content, int length, byte[] bytes) {
    compressor.setLevel(level);
    return compressor.compressByteArray(
        bytes,
        ArchiveFormat.LENGTH_HEADER,
        bytes.length - ArchiveFormat.LENGTH_HEADER,
        content,
        0,
        length);
  }

  /**
   * The content of a frame.
   *
   * @param most the most bytes the content may have
   * @throws BrokenArchiveException if it is damaged, or claims to be larger
   */
  byte[] decompress(byte[] frame, int most) throws BrokenArchiveException {
    long size;
    try {
      size = Zstd.getFrameContentSize(frame, 0, frame.length);
    } catch (ZstdException invalid) {
      size = -1;
    }
    if (!ArchiveFormat.isFrame(frame) || size < 0 || size > most) {
      throw damaged("it does not begin as one of this program's");
    }
    ZstdDecompressCtx decompressor = borrowDecompressor();
    try {
      byte[] content = new byte[(int) size];
      int read =
          decompressor.decompressByteArray(content, 0, content.length, frame, 0, frame.length);
      if (read != size) {
        throw damaged("it holds another number of bytes than it says");
      }
      return content;
    } catch (ZstdException invalid) {
      throw damaged(invalid.getMessage());
    } finally {
      synchronized (decompressors) {
        decompressors.add(decompressor);
      }
    }
  }

  private static BrokenArchiveException damaged(String why) {
    return new BrokenArchiveException(
        Damage.Kind.UNREADABLE, "the compressed data is damaged (" + why + ")");
  }

  private ZstdCompressCtx borrowCompressor() {
    synchronized (compressors) {
      if (!compressors.isEmpty()) {
        return compressors.removeLast();
      }
    }
    ZstdCompressCtx made = new ZstdCompressCtx();
    made.setChecksum(true);
    made.setContentSize(true);
    return made;
  }

  private ZstdDecompressCtx borrowDecompressor() {
    synchronized (decompressors) {
      return decompressors.isEmpty() ? new ZstdDecompressCtx() : decompressors.removeLast();
    }
  }

  /** Frees the contexts; nothing may be under way any more. */
  @Override
  public void close() {
    compressors.forEach(ZstdCompressCtx::close);
    decompressors.forEach(ZstdDecompressCtx::close);
  }
}
