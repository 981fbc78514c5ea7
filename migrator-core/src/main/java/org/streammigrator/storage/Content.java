package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;

/** The bytes of a file to be written, produced when the store asks for them. */
@FunctionalInterface
public interface Content {

  /** Writes all bytes; does not close the stream. Called once. */
  void writeTo(OutputStream out) throws IOException;

  /** Bytes held in memory. */
  static Content of(byte[] bytes) {
    requireNonNull(bytes, "bytes");
    return out -> out.write(bytes);
  }
}
