package org.streammigrator.databricks;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.http.HttpEntity;
import org.apache.http.entity.ByteArrayEntity;
import org.apache.http.entity.ContentType;
import org.apache.http.entity.FileEntity;
import org.streammigrator.storage.Location;

/**
 * The bytes of a file that is to be uploaded, so that its length is known and it can be sent more
 * than once: in memory while they are few, else in a file of the temporary directory.
 */
final class Spool extends OutputStream {
  /** What the Files API takes in one upload: 5 GiB ({@code FilesAPI.upload}). */
  static final long LARGEST = 5L << 30;

  private static final int IN_MEMORY = 8 << 20;

  private final Location file;
  private final long largest;
  private ByteArrayOutputStream memory = new ByteArrayOutputStream();
  private Path temporary;
  private OutputStream disk;
  private long length;

  /**
   * A spool.
   *
   * @param file what the bytes are of
   * @param largest how many bytes are taken
   */
  Spool(Location file, long largest) {
    this.file = file;
    this.largest = largest;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int count) throws IOException {
    length += count;
    if (length > largest) {
      throw new IOException(
          file
              + " is larger than "
              + largest
              + " bytes, which is all that the Files API of volumes takes in one file; name the"
              + " cloud storage below the volume (abfss://, s3a://) instead");
    }
    if (disk == null && memory.size() + count <= IN_MEMORY) {
      memory.write(bytes, offset, count);
      return;
    }
    if (disk == null) {
      temporary = Files.createTempFile("migrator-upload", null);
      disk = Files.newOutputStream(temporary);
      memory.writeTo(disk);
      memory = null;
    }
    disk.write(bytes, offset, count);
  }

  /** All that was written, to be sent as often as needed. */
  HttpEntity entity() throws IOException {
    if (disk == null) {
      return new ByteArrayEntity(memory.toByteArray(), ContentType.APPLICATION_OCTET_STREAM);
    }
    disk.close();
    return new FileEntity(temporary.toFile(), ContentType.APPLICATION_OCTET_STREAM);
  }

  @Override
  public void close() throws IOException {
    if (disk != null) {
      disk.close();
      Files.deleteIfExists(temporary);
    }
  }
}
