package org.streammigrator.checkpoint.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The block stream of lz4-java ({@code LZ4BlockOutputStream}), which is what Spark means by lz4:
 * {@code LZ4Block}, a token (method 0x10 raw or 0x20 LZ4, and the block size), compressed length,
 * length and checksum as little-endian ints, and the data. An empty block ends a stream; another
 * may follow.
 */
final class Lz4BlockInputStream extends BlockInputStream {
  private static final byte[] MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
  private static final int HEADER = MAGIC.length + 13;
  private static final int RAW = 0x10;
  private static final int LZ4 = 0x20;
  private static final int SMALLEST_SHIFT = 10;
  private static final int SHORTEST_MATCH = 4;

  Lz4BlockInputStream(InputStream in) {
    super(in);
  }

  @Override
  byte[] next(InputStream in) throws IOException {
    byte[] header = in.readNBytes(HEADER);
    if (header.length == 0) {
      return null;
    }
    if (header.length < HEADER || !Arrays.equals(header, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
      throw broken("it does not begin with LZ4Block");
    }
    ByteBuffer fields =
        ByteBuffer.wrap(header, MAGIC.length, 13).slice().order(ByteOrder.LITTLE_ENDIAN);
    int token = fields.get();
    int compressed = fields.getInt();
    int length = fields.getInt();
    int checksum = fields.getInt();
    int method = token & 0xf0;
    if (length < 0
        || length > 1 << SMALLEST_SHIFT + (token & 0x0f)
        || compressed < 0
        || (length == 0) != (compressed == 0)
        || (method != RAW && method != LZ4)
        || (method == RAW && length != compressed)
        || (length == 0 && checksum != 0)) {
      throw broken("its header contradicts itself");
    }
    byte[] data = exactly(in, compressed);
    byte[] block = method == RAW ? data : decode(data, length);
    if (length > 0 && XxHash32.lz4Checksum(block) != checksum) {
      throw broken("its checksum is not that of its content");
    }
    return block;
  }

  /** Decodes one LZ4 block: runs of literals, each followed by a copy of what was before. */
  static byte[] decode(byte[] data, int length) throws IOException {
    byte[] out = new byte[length];
    int in = 0;
    int at = 0;
    try {
      while (in < data.length) {
        int token = data[in++] & 0xff;
        int literals = token >>> 4;
        for (int more = 255; literals >= 15 && more == 255; ) {
          more = data[in++] & 0xff;
          literals += more;
        }
        System.arraycopy(data, in, out, at, literals);
        in += literals;
        at += literals;
        if (in == data.length) {
          break;
        }
        int offset = (data[in] & 0xff) | (data[in + 1] & 0xff) << 8;
        in += 2;
        int match = (token & 0x0f) + SHORTEST_MATCH;
        for (int more = 255; match >= 15 + SHORTEST_MATCH && more == 255; ) {
          more = data[in++] & 0xff;
          match += more;
        }
        if (offset == 0 || offset > at) {
          throw broken("it copies from before its beginning");
        }
        for (int i = 0; i < match; i++, at++) {
          out[at] = out[at - offset];
        }
      }
    } catch (IndexOutOfBoundsException overrun) {
      throw broken("its parts do not add up to its length");
    }
    if (at != length) {
      throw broken("its parts do not add up to its length");
    }
    return out;
  }
}
