package org.streammigrator.checkpoint;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * The hidden sibling {@code .NAME.crc} that Hadoop's checksummed local file system keeps: {@code
 * crc\0}, the bytes per checksum as a big-endian int, then one CRC-32 for each such chunk ({@code
 * ChecksumFileSystem}).
 */
public final class HadoopCrc {
  private static final int BYTES_PER_CHECKSUM = 512;
  private static final int MAGIC = 0x63726300;

  private HadoopCrc() {}

  /** Whether a checksum file fits the bytes of its file. */
  public static boolean matches(byte[] crcFile, byte[] content) {
    try {
      ByteBuffer crc = ByteBuffer.wrap(crcFile);
      if (crc.getInt() != MAGIC) {
        return false;
      }
      int chunk = crc.getInt();
      if (chunk <= 0) {
        return false;
      }
      for (int from = 0; from < content.length; from += chunk) {
        if (crc.getInt() != checksum(content, from, Math.min(chunk, content.length - from))) {
          return false;
        }
      }
      return !crc.hasRemaining();
    } catch (BufferUnderflowException cutOff) {
      return false;
    }
  }

  private static int checksum(byte[] content, int from, int length) {
    CRC32 crc = new CRC32();
    crc.update(content, from, length);
    return (int) crc.getValue();
  }

  /** The checksum file that Hadoop would write for the given bytes. */
  public static byte[] of(byte[] content) {
    int chunks = (content.length + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
    ByteBuffer crc = ByteBuffer.allocate(8 + 4 * chunks);
    crc.putInt(MAGIC).putInt(BYTES_PER_CHECKSUM);
    for (int from = 0; from < content.length; from += BYTES_PER_CHECKSUM) {
      crc.putInt(checksum(content, from, Math.min(BYTES_PER_CHECKSUM, content.length - from)));
    }
    return crc.array();
  }
}
