package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;

/**
 * The compact entry of a file source's log without what came after an entry: the version line, and
 * of the lines those whose {@code batchId}, which is the number of an entry of this log ({@code
 * FileStreamSource.FileEntry}), is not above it. One line at a time is held in memory.
 *
 * <p>Closing it closes the stream that it reads.
 */
public final class EntriesThrough extends InputStream {
  private final BufferedReader lines;
  private final long last;
  private byte[] line = new byte[0];
  private int at;
  private boolean begun;

  /**
   * Prepares the reading.
   *
   * @param compact the bytes of the compact entry
   * @param last the last entry that is kept
   */
  public EntriesThrough(InputStream compact, long last) {
    this.lines =
        new BufferedReader(
            new InputStreamReader(requireNonNull(compact, "compact"), StandardCharsets.UTF_8));
    this.last = last;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int from, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (at == line.length) {
      if (!next()) {
        return -1;
      }
    }
    int count = Math.min(length, line.length - at);
    System.arraycopy(line, at, into, from, count);
    at += count;
    return count;
  }

  private boolean next() throws IOException {
    for (String text = lines.readLine(); text != null; text = lines.readLine()) {
      if (!begun || isKept(text)) {
        line = ((begun ? "\n" : "") + text).getBytes(StandardCharsets.UTF_8);
        at = 0;
        begun = true;
        return true;
      }
    }
    return false;
  }

  /** A line that is no entry stays, so that whoever reads the log finds it. */
  private boolean isKept(String text) {
    Optional<JsonNode> entry = Json.parseObject(text);
    OptionalLong number =
        entry.isEmpty() ? OptionalLong.empty() : Json.exactLong(entry.get().get("batchId"));
    return number.isEmpty() || number.getAsLong() <= last;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
