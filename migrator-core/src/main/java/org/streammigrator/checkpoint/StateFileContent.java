package org.streammigrator.checkpoint;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.streammigrator.checkpoint.codec.StateCodec;

/**
 * Reads state files to their end, as Spark does when it loads them, in a fixed amount of memory.
 *
 * <p>Rules from Spark (4.2.0), all numbers big-endian ints:
 *
 * <ul>
 *   <li>{@code HDFSBackedStateStoreProvider}: compressed; records of key size, key, value size and
 *       value; value size -1 is a removal, which a snapshot does not have; key size -1 ends the
 *       file.
 *   <li>{@code StateStoreChangelog}: compressed; the header of {@link ChangelogHeader}; versions 1
 *       and 3 have records like a delta, 2 and 4 begin each with its type (put 1, delete 0x10,
 *       merge 0x11, delete range 0x20) and end with 0.
 *   <li>{@code RocksDBFileManager}: a zip whose entries have the CRC that stands beside them, and
 *       whose metadata can be read.
 *   <li>An SST ends with a magic number (RocksDB, {@code block_based_table_builder.cc}); its
 *       blocks' own checksums are not computed here.
 * </ul>
 */
final class StateFileContent {
  private static final int LARGEST_HEADER = 1 << 17;
  private static final int END = -1;
  private static final int END_RECORD = 0x00;
  private static final int PUT = 0x01;
  private static final int DELETE = 0x10;
  private static final int MERGE = 0x11;
  private static final int DELETE_RANGE = 0x20;

  private final String codec;

  StateFileContent(String codec) {
    this.codec = codec;
  }

  /** A damaged file, and how. */
  private static IOException damaged(String how) {
    return new IOException(how);
  }

  /** Reads a delta or a snapshot, telling each of its records. */
  void records(InputStream file, boolean snapshot, KeyCount keys) throws IOException {
    try (DataInputStream in = new DataInputStream(StateCodec.open(codec, file))) {
      records(in, snapshot, keys);
      end(in);
    } catch (EOFException cutOff) {
      throw damaged("it ends without the mark of its end");
    }
  }

  private static void records(DataInputStream in, boolean snapshot, KeyCount keys)
      throws IOException {
    for (int keySize = in.readInt(); keySize != END; keySize = in.readInt()) {
      if (keySize < 0) {
        throw damaged("a key claims to have " + keySize + " bytes");
      }
      byte[] key = keys.wantsKeys() ? bytes(in, keySize) : skipped(in, keySize);
      int valueSize = in.readInt();
      if (valueSize >= 0) {
        skipped(in, valueSize);
        keys.put(key);
      } else if (snapshot) {
        throw damaged("a value claims to have " + valueSize + " bytes");
      } else {
        keys.remove(key);
      }
    }
  }

  /** Reads a changelog. */
  void changelog(InputStream file) throws IOException, LogFormatException {
    try (BufferedInputStream bytes = new BufferedInputStream(StateCodec.open(codec, file))) {
      DataInputStream in = new DataInputStream(bytes);
      bytes.mark(LARGEST_HEADER);
      int version = ChangelogHeader.read(in).version();
      if (version == 1) {
        bytes.reset();
      }
      if (version % 2 == 1) {
        records(in, false, KeyCount.NONE);
      } else {
        typedRecords(in);
      }
      end(in);
    } catch (EOFException cutOff) {
      throw damaged("it ends without the mark of its end");
    }
  }

  private static void typedRecords(DataInputStream in) throws IOException {
    for (int type = in.readUnsignedByte(); type != END_RECORD; type = in.readUnsignedByte()) {
      skipped(in, size(in));
      switch (type) {
        case PUT, MERGE, DELETE_RANGE -> skipped(in, size(in));
        case DELETE -> {
          if (in.readInt() != END) {
            throw damaged("a removal has a value");
          }
        }
        default -> throw damaged("a record has the unknown type " + type);
      }
    }
  }

  private static int size(DataInputStream in) throws IOException {
    int size = in.readInt();
    if (size < 0) {
      throw damaged("a key or value claims to have " + size + " bytes");
    }
    return size;
  }

  /** What comes after the mark of the end: nothing, and that checks the last compressed block. */
  private static void end(InputStream in) throws IOException {
    if (in.read() >= 0) {
      throw damaged("it goes on after the mark of its end");
    }
  }

  private static byte[] bytes(DataInputStream in, int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private static byte[] skipped(DataInputStream in, int length) throws IOException {
    in.skipNBytes(length);
    return null;
  }

  /** Reads a zip whole; every entry's CRC is compared on the way. */
  static void zip(InputStream file) throws IOException, LogFormatException {
    boolean metadata = false;
    try (ZipInputStream entries = new ZipInputStream(file)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        if (entry.getName().equals("metadata")) {
          RocksSnapshot.parse(entries.readAllBytes());
          metadata = true;
        } else {
          entries.transferTo(OutputStream.nullOutputStream());
        }
      }
    } catch (IllegalArgumentException badName) {
      throw damaged("it is no zip file");
    }
    if (!metadata) {
      throw damaged("it is no zip file, or one without an entry called metadata");
    }
  }
}
