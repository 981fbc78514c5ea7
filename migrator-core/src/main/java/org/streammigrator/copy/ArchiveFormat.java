package org.streammigrator.copy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * The layout of an archive: zstd frames that hold the pieces of one PAX tar, each after a skippable
 * frame with its length (as pzstd writes them), then an index and a seal in skippable frames of
 * their own. {@code tar --zstd} and {@code zstd} pass over what is skippable.
 *
 * <p>The tar holds {@code checkpoint/<path>} for every file and every empty directory, sorted by
 * path, and {@code manifest.json} as its last entry. An archive of several checkpoints holds {@code
 * checkpoints/<name>/<path>}, and at the end {@code manifests/<name>.json}. The seal has the
 * SHA-256 of every byte before it: a zstd decoder does not look at every bit (unused header bits,
 * the window size), and the manifest covers only the files.
 *
 * <p>Archives of the first format are one zstd frame and a seal, without lengths and index. They
 * are read, and no longer written.
 */
final class ArchiveFormat {
  static final String SUFFIX = ".tar.zst";
  static final String FILES = "checkpoint/";
  static final String MANIFEST = "manifest.json";
  static final String SEVERAL_FILES = "checkpoints/";
  static final String SEVERAL_MANIFESTS = "manifests/";
  static final String JSON = ".json";

  /** The level that a frame is compressed with first. */
  static final int FAST_LEVEL = 1;

  /** The level of a frame that the first one made less than half of, and of the index. */
  static final int LEVEL = 3;

  static final int FRAME_MAGIC = 0xFD2FB528;

  /** Bytes of the tar after which a new frame begins. */
  static final int FRAME_CONTENT = 1 << 20;

  /** The most bytes that the content of a frame can have: names make headers longer. */
  static final int LARGEST_CONTENT = 1 << 23;

  static final int LENGTH_MAGIC = 0x184D2A50;
  static final int INDEX_MAGIC = 0x184D2A5B;
  private static final int SEAL_MAGIC = 0x184D2A5A;
  private static final int SEAL_CONTENT = 32;

  /** Bytes of magic number and length, which every skippable frame begins with. */
  static final int SKIPPABLE_HEADER = 2 * Integer.BYTES;

  /** Bytes of the skippable frame that says how long the next frame is. */
  static final int LENGTH_HEADER = SKIPPABLE_HEADER + Integer.BYTES;

  /** Bytes of the seal. */
  static final int SEAL_LENGTH = SKIPPABLE_HEADER + SEAL_CONTENT;

  private ArchiveFormat() {}

  /** What stands before a frame of some bytes. */
  static byte[] lengthHeader(int frameLength) {
    return littleEndian(LENGTH_HEADER)
        .putInt(LENGTH_MAGIC)
        .putInt(Integer.BYTES)
        .putInt(frameLength)
        .array();
  }

  static byte[] seal(byte[] sha256) {
    return littleEndian(SEAL_LENGTH).putInt(SEAL_MAGIC).putInt(SEAL_CONTENT).put(sha256).array();
  }

  /** Whether the bytes are a seal, of whatever content. */
  static boolean isSeal(byte[] bytes) {
    byte[] start = Arrays.copyOf(seal(new byte[SEAL_CONTENT]), SKIPPABLE_HEADER);
    return bytes.length == SEAL_LENGTH
        && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
  }

  /** Whether a file that begins with these bytes can be an archive of either format. */
  static boolean isArchive(byte[] start) {
    return isFrame(start) || isFramed(start);
  }

  /** Whether bytes are the beginning of a zstd frame, and so of an archive of the first format. */
  static boolean isFrame(byte[] start) {
    return start.length >= Integer.BYTES && number(start, 0) == FRAME_MAGIC;
  }

  /** Whether an archive that begins with these bytes has frames with lengths. */
  static boolean isFramed(byte[] start) {
    return start.length >= Integer.BYTES && number(start, 0) == LENGTH_MAGIC;
  }

  /** A number as zstd writes them. */
  static int number(byte[] bytes, int offset) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt(offset);
  }

  static ByteBuffer littleEndian(int length) {
    return ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
  }
}
