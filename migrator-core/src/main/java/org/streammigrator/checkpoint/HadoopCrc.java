package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

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

  /** Compares a checksum file with the bytes of its file, in whatever pieces they come. */
  public static final class Check {
    private final ByteBuffer sums;
    private final CRC32 crc = new CRC32();
    private final int chunk;
    private long count;
    private boolean fits;

    /**
     * Begins a comparison.
     *
     * @param crcFile the whole checksum file; it need not be a sound one
     */
    public Check(byte[] crcFile) {
      this.sums = ByteBuffer.wrap(requireNonNull(crcFile, "crcFile"));
      this.chunk = sums.remaining() >= 8 && sums.getInt() == MAGIC ? sums.getInt() : 0;
      this.fits = chunk > 0;
    }

    /** Takes the next bytes of the file. */
    public void update(byte[] bytes, int from, int length) {
      int end = from + length;
      for (int at = from; fits && at < end; ) {
        int step = (int) Math.min(chunk - count % chunk, end - at);
        crc.update(bytes, at, step);
        at += step;
        count += step;
        if (count % chunk == 0) {
          endChunk();
        }
      }
    }

    private void endChunk() {
      fits = sums.remaining() >= 4 && sums.getInt() == (int) crc.getValue();
      crc.reset();
    }

    /** Whether the checksum file fits the bytes, which end here; asked once. */
    public boolean matches() {
      if (fits && count % chunk != 0) {
        endChunk();
      }
      return fits && !sums.hasRemaining();
    }
  }

  /** Whether a checksum file fits the bytes of its file. */
  public static boolean matches(byte[] crcFile, byte[] content) {
    Check check = new Check(crcFile);
    check.update(content, 0, content.length);
    return check.matches();
  }

  /** Whether a name is that of such a checksum file. */
  public static boolean isName(String name) {
    return name.startsWith(".") && name.endsWith(".crc") && name.length() > ".crc".length() + 1;
  }

  /** The path of the file that a checksum file is about; its name must be one. */
  public static String guarded(String path) {
    int name = path.lastIndexOf('/') + 1;
    return path.substring(0, name) + path.substring(name + 1, path.length() - ".crc".length());
  }

  /** The checksum file that Hadoop would write for the given bytes. */
  public static byte[] of(byte[] content) {
    int chunks = (content.length + BYTES_PER_CHECKSUM - 1) / BYTES_PER_CHECKSUM;
    ByteBuffer sums = ByteBuffer.allocate(8 + 4 * chunks);
    sums.putInt(MAGIC).putInt(BYTES_PER_CHECKSUM);
    for (int from = 0; from < content.length; from += BYTES_PER_CHECKSUM) {
      CRC32 crc = new CRC32();
      crc.update(content, from, Math.min(BYTES_PER_CHECKSUM, content.length - from));
      sums.putInt((int) crc.getValue());
    }
    return sums.array();
  }
}
