package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.zip.CRC32C;
import org.streammigrator.checkpoint.json.Json;

/**
 * Computes, while a file is read, what the checksum files beside it say of it: Hadoop's hidden
 * {@code .X.crc} ({@link HadoopCrc}) and Spark's {@code X.crc} (4.1 and later with state format 2;
 * {@code ChecksumCheckpointFileManager}: JSON with {@code algorithm} CRC32C, the value as a signed
 * int, and the file's size).
 */
final class ChecksummedInputStream extends FilterInputStream {
  private static final int TAIL = 8;

  private final CRC32C whole = new CRC32C();
  private final Optional<HadoopCrc.Check> hadoop;
  private final byte[] tail = new byte[TAIL];
  private boolean hadoopFits;
  private long count;

  /**
   * @param hadoopCrc the content of the hidden checksum file; empty if there is none
   */
  ChecksummedInputStream(InputStream in, Optional<byte[]> hadoopCrc) {
    super(in);
    this.hadoop = hadoopCrc.map(HadoopCrc.Check::new);
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    int read = in.read(into, from, length);
    for (int at = 0; at < read; at++) {
      tail[(int) ((count + at) % TAIL)] = into[from + at];
    }
    if (read > 0) {
      whole.update(into, from, read);
      if (hadoop.isPresent()) {
        hadoop.get().update(into, from, read);
      }
      count += read;
    }
    return read;
  }

  @Override
  public long skip(long bytes) throws IOException {
    byte[] skipped = new byte[(int) Math.min(bytes, 1 << 13)];
    return Math.max(0, read(skipped, 0, skipped.length));
  }

  @Override
  public boolean markSupported() {
    return false;
  }

  /** Reads what is left, so that the checksums are those of the whole file. */
  void readToEnd() throws IOException {
    byte[] rest = new byte[1 << 13];
    while (read(rest, 0, rest.length) >= 0) {
      continue;
    }
    hadoopFits = hadoop.isEmpty() || hadoop.get().matches();
  }

  /** The bytes that were read. */
  long count() {
    return count;
  }

  /** The last eight bytes as a little-endian number; 0 if there are fewer. */
  long lastEight() {
    long number = 0;
    for (int i = 1; i <= TAIL && count >= TAIL; i++) {
      number = number << 8 | tail[(int) ((count - i) % TAIL)] & 0xff;
    }
    return number;
  }

  /** Whether Hadoop's checksum file, if there is one, fits the whole file; known at its end. */
  boolean fitsHadoop() {
    return hadoopFits;
  }

  /** What Spark's checksum file says against the whole file; empty if nothing. */
  Optional<String> against(byte[] sparkCrc) {
    Optional<JsonNode> json = Json.parseObject(new String(sparkCrc, StandardCharsets.UTF_8));
    OptionalLong value = Json.exactLong(json.map(node -> node.get("value")).orElse(null));
    OptionalLong size = Json.exactLong(json.map(node -> node.get("mainFileSize")).orElse(null));
    if (value.isEmpty() || size.isEmpty()) {
      return Optional.of("its checksum file is not the JSON that Spark writes");
    }
    if (!json.get().path("algorithm").asText().equals("CRC32C")) {
      return Optional.empty();
    }
    if (size.getAsLong() != count) {
      return Optional.of(
          "it has " + count + " bytes and its checksum file says " + size.getAsLong());
    }
    return value.getAsLong() == (int) whole.getValue()
        ? Optional.empty()
        : Optional.of("its content has another checksum than Spark recorded beside it");
  }
}
