package org.streammigrator.copy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The layout of an archive: one zstd frame that holds a PAX tar, and one skippable zstd frame, the
 * seal, with the SHA-256 of every byte before it.
 *
 * <p>The tar holds {@code checkpoint/<path>} for every file and every empty directory, sorted by
 * path, and {@code manifest.json} as its last entry. The seal is there because a zstd decoder does
 * not look at every bit (unused header bits, the window size), and the manifest covers only the
 * files. {@code tar --zstd} and {@code zstd} pass over it.
 */
final class ArchiveFormat {
  static final String SUFFIX = ".tar.zst";
  static final String FILES = "checkpoint/";
  static final String MANIFEST = "manifest.json";

  static final int LEVEL = 3;
  static final int FRAME_MAGIC = 0xFD2FB528;

  private static final int SEAL_MAGIC = 0x184D2A5A;
  private static final int SEAL_CONTENT = 32;

  /** Bytes of the seal. */
  static final int SEAL_LENGTH = Integer.BYTES + Integer.BYTES + SEAL_CONTENT;

  private ArchiveFormat() {}

  static byte[] seal(byte[] sha256) {
    return ByteBuffer.allocate(SEAL_LENGTH)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(SEAL_MAGIC)
        .putInt(SEAL_CONTENT)
        .put(sha256)
        .array();
  }

  /** Whether the bytes are a seal, of whatever content. */
  static boolean isSeal(byte[] bytes) {
    byte[] start = Arrays.copyOf(seal(new byte[SEAL_CONTENT]), 2 * Integer.BYTES);
    return bytes.length == SEAL_LENGTH
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  static boolean isFrame(byte[] start) {
    return start.length >= Integer.BYTES
        && ByteBuffer.wrap(start).order(ByteOrder.LITTLE_ENDIAN).getInt() == FRAME_MAGIC;
  }
}
