package org.streammigrator.checkpoint.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The checksum XXH32 (xxHash specification 0.1.1), as lz4-java uses it. */
final class XxHash32 {
  private static final int SEED = 0x9747b28c;
  private static final int LZ4_MASK = 0x0fffffff;
  private static final int PRIME_1 = 0x9e3779b1;
  private static final int PRIME_2 = 0x85ebca77;
  private static final int PRIME_3 = 0xc2b2ae3d;
  private static final int PRIME_4 = 0x27d4eb2f;
  private static final int PRIME_5 = 0x165667b1;

  private XxHash32() {}

  /** The checksum that stands before a block of an LZ4 block stream. */
  static int lz4Checksum(byte[] block) {
    return hash(block, SEED) & LZ4_MASK;
  }

  static int hash(byte[] bytes, int seed) {
    ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    int hash;
    if (bytes.length >= 16) {
      int a = seed + PRIME_1 + PRIME_2;
      int b = seed + PRIME_2;
      int c = seed;
      int d = seed - PRIME_1;
      while (in.remaining() >= 16) {
        a = round(a, in.getInt());
        b = round(b, in.getInt());
        c = round(c, in.getInt());
        d = round(d, in.getInt());
      }
      hash =
          Integer.rotateLeft(a, 1)
              + Integer.rotateLeft(b, 7)
              + Integer.rotateLeft(c, 12)
              + Integer.rotateLeft(d, 18);
    } else {
      hash = seed + PRIME_5;
    }
    hash += bytes.length;
    while (in.remaining() >= 4) {
      hash = Integer.rotateLeft(hash + in.getInt() * PRIME_3, 17) * PRIME_4;
    }
    while (in.hasRemaining()) {
      hash = Integer.rotateLeft(hash + (in.get() & 0xff) * PRIME_5, 11) * PRIME_1;
    }
    hash = (hash ^ hash >>> 15) * PRIME_2;
    hash = (hash ^ hash >>> 13) * PRIME_3;
    return hash ^ hash >>> 16;
  }

  private static int round(int lane, int input) {
    return Integer.rotateLeft(lane + input * PRIME_2, 13) * PRIME_1;
  }
}
