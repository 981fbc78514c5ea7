package org.streammigrator.facts;

import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A file that is read from its beginning on, or, once it is positioned, through a temporary copy:
 * stores give streams only, and what is read back and forth are the parquet checkpoints of a log.
 */
final class SpooledStream extends SeekableInputStream {
  private final Store store;
  private final Location file;
  private InputStream stream;
  private FileChannel channel;
  private Path copy;
  private long position;

  SpooledStream(Store store, Location file) throws IOException {
    this.store = store;
    this.file = file;
    this.stream = store.open(file);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int read =
        channel == null
            ? stream.read(bytes, offset, length)
            : channel.read(ByteBuffer.wrap(bytes, offset, length));
    position += Math.max(read, 0);
    return read;
  }

  @Override
  public void readFully(byte[] bytes, int offset, int length) throws IOException {
    int done = 0;
    while (done < length) {
      int read = read(bytes, offset + done, length - done);
      if (read < 0) {
        throw new EOFException(file + " ends at " + position);
      }
      done += read;
    }
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void seek(long to) throws IOException {
    if (to == position) {
      return;
    }
    if (channel == null) {
      spool();
    }
    channel.position(to);
    position = to;
  }

  private void spool() throws IOException {
    stream.close();
    if (file.isLocal()) {
      channel = FileChannel.open(file.localPath(), StandardOpenOption.READ);
      return;
    }
    copy = Files.createTempFile("migrator-log", null);
    try (InputStream whole = store.open(file)) {
      Files.copy(whole, copy, StandardCopyOption.REPLACE_EXISTING);
    }
    channel = FileChannel.open(copy, StandardOpenOption.READ, StandardOpenOption.DELETE_ON_CLOSE);
  }

  @Override
  public void close() throws IOException {
    try {
      stream.close();
    } finally {
      if (channel != null) {
        channel.close();
      } else if (copy != null) {
        Files.deleteIfExists(copy);
      }
    }
  }
}
