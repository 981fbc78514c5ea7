package org.streammigrator.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Writes a file; a failure names it, which that of a full disk does not do of itself. */
final class NamedOutputStream extends OutputStream {
  private final Path path;
  private final FileChannel channel;
  private final OutputStream out;

  NamedOutputStream(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
    this.out = Channels.newOutputStream(channel);
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    try {
      out.write(bytes, offset, length);
    } catch (IOException failure) {
      throw named(failure);
    }
  }

  /** Forces what was written to the disk. */
  void force() throws IOException {
    try {
      channel.force(true);
    } catch (IOException failure) {
      throw named(failure);
    }
  }

  private IOException named(IOException failure) {
    if (failure instanceof FileSystemException || failure.getMessage() == null) {
      return failure;
    }
    FileSystemException named =
        new FileSystemException(path.toString(), null, failure.getMessage());
    named.initCause(failure);
    return named;
  }
}
