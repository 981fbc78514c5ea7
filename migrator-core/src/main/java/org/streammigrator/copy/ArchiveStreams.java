package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/** The two ends of the chain that decodes an archive, where failures are told apart. */
final class ArchiveStreams {

  private ArchiveStreams() {}

  /** The store failed, which says nothing about the archive. */
  static final class StoreFailure extends IOException {
    private final IOException failure;

    StoreFailure(IOException failure) {
      super(failure);
      this.failure = failure;
    }

    IOException failure() {
      return failure;
    }
  }

  /** The bytes of the archive file. */
  static final class Stored extends InputStream {
    private final InputStream in;

    Stored(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      try {
        return in.read();
      } catch (IOException failure) {
        throw new StoreFailure(failure);
      }
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        return in.read(buffer, offset, length);
      } catch (IOException failure) {
        throw new StoreFailure(failure);
      }
    }
  }

  /** The bytes of the tar's current entry. */
  static final class EntryContent extends InputStream {
    private final TarArchiveInputStream tar;
    private IOException failure;

    EntryContent(TarArchiveInputStream tar) {
      this.tar = tar;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      try {
        return tar.read(buffer, offset, length);
      } catch (StoreFailure | BrokenArchiveException known) {
        failure = known;
      } catch (IOException | RuntimeException invalid) {
        failure =
            new BrokenArchiveException(
                Damage.Kind.TRUNCATED, "the tar ends too early (" + invalid.getMessage() + ")");
      }
      throw failure;
    }

    /** Fails if reading failed, whatever the reader made of it. */
    void rethrow() throws IOException {
      if (failure != null) {
        throw failure;
      }
    }
  }
}
