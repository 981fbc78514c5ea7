package org.streammigrator.checkpoint.codec;

import java.io.IOException;
import java.io.InputStream;

/**
 * The chunks of compress-lzf ({@code LZFOutputStream}), which is what Spark means by lzf: {@code
 * ZV}, 0 for raw or 1 for LZF, the chunk's length and, for LZF, the decoded length as big-endian
 * numbers of two bytes, and the data.
 */
final class LzfInputStream extends BlockInputStream {
  private static final int SHORTEST_COPY = 2;

  LzfInputStream(InputStream in) {
    super(in);
  }

  @Override
  byte[] next(InputStream in) throws IOException {
    byte[] header = in.readNBytes(5);
    if (header.length == 0) {
      return null;
    }
    if (header.length < 5 || header[0] != 'Z' || header[1] != 'V') {
      throw broken("it does not begin with ZV");
    }
    int length = (header[3] & 0xff) << 8 | header[4] & 0xff;
    return switch (header[2]) {
      case 0 -> exactly(in, length);
      case 1 -> {
        byte[] decoded = exactly(in, 2);
        yield decode(exactly(in, length), (decoded[0] & 0xff) << 8 | decoded[1] & 0xff);
      }
      default -> throw broken("its type is neither 0 nor 1");
    };
  }

  static byte[] decode(byte[] data, int length) throws IOException {
    byte[] out = new byte[length];
    int in = 0;
    int at = 0;
    try {
      while (in < data.length) {
        int control = data[in++] & 0xff;
        if (control < 32) {
          System.arraycopy(data, in, out, at, control + 1);
          in += control + 1;
          at += control + 1;
          continue;
        }
        int count = control >>> 5;
        if (count == 7) {
          count += data[in++] & 0xff;
        }
        count += SHORTEST_COPY;
        int offset = ((control & 0x1f) << 8 | data[in++] & 0xff) + 1;
        if (offset > at) {
          throw broken("it copies from before its beginning");
        }
        for (int i = 0; i < count; i++, at++) {
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
