package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.Optional;

/** The bytes of a file to be written, produced when the store asks for them. */
@FunctionalInterface
public interface Content {

  /** Writes all bytes; does not close the stream. Called once. */
  void writeTo(OutputStream out) throws IOException;

  /** All of them if they are in memory already, so that no store need buffer them. */
  default Optional<byte[]> held() {
    return Optional.empty();
  }

  /** Bytes held in memory. */
  static Content of(byte[] bytes) {
    return new Held(requireNonNull(bytes, "bytes"));
  }

  /** See {@link #of}. */
  final class Held implements Content {
    private final byte[] bytes;

    private Held(byte[] bytes) {
      this.bytes = bytes;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      out.write(bytes);
    }

    @Override
    public Optional<byte[]> held() {
      return Optional.of(bytes);
    }
  }
}
