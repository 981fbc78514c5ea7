package org.streammigrator.checkpoint.codec;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * The stream of snappy-java ({@code SnappyOutputStream}), which is what Spark means by snappy: a
 * header of 16 bytes (magic, version, oldest compatible version), then blocks, each a big-endian
 * length and raw Snappy data. A further header may stand where a length is expected.
 */
final class SnappyInputStream extends BlockInputStream {
  private static final byte[] MAGIC = {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0};

  private boolean begun;

  SnappyInputStream(InputStream in) {
    super(in);
  }

  @Override
  byte[] next(InputStream in) throws IOException {
    byte[] length = in.readNBytes(4);
    if (length.length == 0) {
      return null;
    }
    if (length.length < 4) {
      throw broken("it ends in a length");
    }
    if (Arrays.equals(length, 0, 4, MAGIC, 0, 4)) {
      byte[] rest = exactly(in, 12);
      if (!Arrays.equals(rest, 0, 4, MAGIC, 4, 8) || ByteBuffer.wrap(rest).getInt(4) != 1) {
        throw broken("it does not begin as Snappy does");
      }
      begun = true;
      return new byte[0];
    }
    if (!begun) {
      throw broken("it does not begin as Snappy does");
    }
    return decode(exactly(in, ByteBuffer.wrap(length).getInt()));
  }

  /** Decodes raw Snappy data: its length as a varint, then literals and copies. */
  static byte[] decode(byte[] data) throws IOException {
    try {
      int in = 0;
      long length = 0;
      for (int shift = 0; ; shift += 7) {
        int part = data[in++];
        length |= (long) (part & 0x7f) << shift;
        if (part >= 0) {
          break;
        }
        if (shift > 28) {
          throw broken("its length has too many digits");
        }
      }
      if (length > LARGEST_BLOCK) {
        throw broken("it claims to have " + length + " bytes");
      }
      byte[] out = new byte[(int) length];
      int at = 0;
      while (in < data.length) {
        int tag = data[in++] & 0xff;
        if ((tag & 3) == 0) {
          int literals = tag >>> 2;
          int sizeBytes = Math.max(0, literals - 59);
          if (sizeBytes > 0) {
            literals = littleEndian(data, in, sizeBytes);
            in += sizeBytes;
          }
          literals++;
          System.arraycopy(data, in, out, at, literals);
          in += literals;
          at += literals;
        } else {
          int count = (tag & 3) == 1 ? (tag >>> 2 & 7) + 4 : (tag >>> 2) + 1;
          int offset =
              switch (tag & 3) {
                case 1 -> (tag & 0xe0) << 3 | data[in] & 0xff;
                case 2 -> littleEndian(data, in, 2);
                default -> littleEndian(data, in, 4);
              };
          in += (tag & 3) == 3 ? 4 : tag & 3;
          if (offset <= 0 || offset > at) {
            throw broken("it copies from before its beginning");
          }
          for (int i = 0; i < count; i++, at++) {
            out[at] = out[at - offset];
          }
        }
      }
      if (at != out.length) {
        throw broken("its parts do not add up to its length");
      }
      return out;
    } catch (IndexOutOfBoundsException overrun) {
      throw broken("its parts do not add up to its length");
    }
  }

  private static int littleEndian(byte[] data, int from, int bytes) {
    int value = 0;
    for (int i = 0; i < bytes; i++) {
      value |= (data[from + i] & 0xff) << 8 * i;
    }
    return value;
  }
}
