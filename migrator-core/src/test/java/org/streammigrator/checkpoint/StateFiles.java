package org.streammigrator.checkpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import net.jpountz.lz4.LZ4BlockOutputStream;

/** State files as Spark writes them, for tests. */
public final class StateFiles {
  private StateFiles() {}

  /** Writes the uncompressed content of a file. */
  public interface Body {
    void write(DataOutputStream out) throws IOException;
  }

  /** A file in the codec that Spark takes by default. */
  public static byte[] lz4(Body body) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(new LZ4BlockOutputStream(bytes, 1 << 15))) {
      body.write(out);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** A record of a delta or a snapshot; a value of null is a removal. */
  public static void record(DataOutputStream out, byte[] key, byte[] value) throws IOException {
    out.writeInt(key.length);
    out.write(key);
    out.writeInt(value == null ? -1 : value.length);
    if (value != null) {
      out.write(value);
    }
  }

  /** A delta or snapshot that puts keys, each a text. */
  public static byte[] puts(String... keys) {
    return lz4(
        out -> {
          for (String key : keys) {
            record(out, key.getBytes(StandardCharsets.UTF_8), new byte[16]);
          }
          out.writeInt(-1);
        });
  }

  /** A changelog of version 3 with a lineage and one record. */
  public static byte[] changelog(String lineage) {
    return lz4(
        out -> {
          out.writeUTF("v3");
          out.writeUTF(lineage);
          record(out, new byte[8], new byte[8]);
          out.writeInt(-1);
        });
  }

  /** A snapshot's zip. */
  public static byte[] zip(String metadata) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      zip.putNextEntry(new ZipEntry("MANIFEST-000005"));
      zip.write(new byte[300]);
      zip.putNextEntry(new ZipEntry("metadata"));
      zip.write(("v1\n" + metadata).getBytes(StandardCharsets.UTF_8));
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** The end of an SST, after some bytes. */
  public static byte[] sst(int length) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[length - 8]);
    for (int i = 0; i < 8; i++) {
      bytes.write((int) (0x88e241b785f4cff7L >>> 8 * i));
    }
    return bytes.toByteArray();
  }
}
