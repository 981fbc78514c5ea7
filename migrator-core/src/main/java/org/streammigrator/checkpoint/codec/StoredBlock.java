package org.streammigrator.checkpoint.codec;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A few bytes in the containers of Spark's codecs, as they are: each of them can hold a block that
 * is not compressed.
 */
final class StoredBlock {
  private static final int LARGEST = 60;
  private static final byte[] LZ4_MAGIC = "LZ4Block".getBytes(StandardCharsets.US_ASCII);
  // Not compressed (0x10), in blocks of 32 KiB (2^(10+5)), as Spark's codec is set.
  private static final byte LZ4_TOKEN = 0x15;

  private StoredBlock() {}

  static void require(byte[] bytes) {
    if (bytes.length == 0 || bytes.length > LARGEST) {
      throw new IllegalArgumentException("1 to " + LARGEST + " bytes, not " + bytes.length);
    }
  }

  /** lz4-java's {@code LZ4BlockOutputStream}: the block, and the empty one that ends the stream. */
  static byte[] lz4(byte[] bytes) {
    return ByteBuffer.allocate(2 * (LZ4_MAGIC.length + 13) + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(LZ4_MAGIC)
        .put(LZ4_TOKEN)
        .putInt(bytes.length)
        .putInt(bytes.length)
        .putInt(XxHash32.lz4Checksum(bytes))
        .put(bytes)
        .put(LZ4_MAGIC)
        .put(LZ4_TOKEN)
        .array();
  }

  /** snappy-java's {@code SnappyOutputStream}: its header, and a block that is one literal. */
  static byte[] snappy(byte[] bytes) {
    return ByteBuffer.allocate(16 + 4 + 2 + bytes.length)
        .put(new byte[] {(byte) 0x82, 'S', 'N', 'A', 'P', 'P', 'Y', 0})
        .putInt(1)
        .putInt(1)
        .putInt(2 + bytes.length)
        .put((byte) bytes.length)
        .put((byte) (bytes.length - 1 << 2))
        .put(bytes)
        .array();
  }

  /** compress-lzf's {@code LZFOutputStream}: a chunk that is not compressed. */
  static byte[] lzf(byte[] bytes) {
    return ByteBuffer.allocate(5 + bytes.length)
        .put(new byte[] {'Z', 'V', 0})
        .putShort((short) bytes.length)
        .put(bytes)
        .array();
  }

  /** RFC 8878: a frame of one raw block, whose size stands in its header. */
  static byte[] zstd(byte[] bytes) {
    return ByteBuffer.allocate(9 + bytes.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(0xfd2fb528)
        .put((byte) 0x20)
        .put((byte) bytes.length)
        .put((byte) (bytes.length << 3 | 1))
        .put((byte) (bytes.length >> 5))
        .put((byte) 0)
        .put(bytes)
        .array();
  }
}
