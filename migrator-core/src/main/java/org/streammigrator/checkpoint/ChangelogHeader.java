package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UTFDataFormatException;
import java.util.Collections;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.codec.StateCodec;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * The beginning of a RocksDB changelog.
 *
 * <p>Rules from Spark's {@code StateStoreChangelog} (4.2.0): version 1 has no header and begins
 * with the first record; 2 (column families), 3 (lineage) and 4 (both) begin with {@code v2} to
 * {@code v4} as {@code DataOutput.writeUTF} writes it; 3 and 4 go on with a JSON array of the
 * versions and ids that lead from the last snapshot to the version before this one.
 *
 * @param version 1 to 4
 * @param lineage the ids by version; empty in versions 1 and 2
 */
record ChangelogHeader(int version, SortedMap<Long, String> lineage) {
  private static final int NEWEST_VERSION = 4;

  ChangelogHeader {
    lineage = Collections.unmodifiableSortedMap(new TreeMap<>(lineage));
  }

  /**
   * Reads the header of a changelog; no more of the file is read than the first compressed blocks.
   *
   * @throws LogFormatException where Spark could not read it
   */
  static ChangelogHeader read(InputStream file, String codec)
      throws IOException, LogFormatException {
    try (InputStream bytes = StateCodec.open(codec, file)) {
      return read(new DataInputStream(bytes));
    }
  }

  /** Reads the header and leaves the stream at the first record, but for version 1. */
  static ChangelogHeader read(DataInputStream in) throws IOException, LogFormatException {
    int version = version(in);
    return new ChangelogHeader(version, version < 3 ? new TreeMap<>() : lineage(in.readUTF()));
  }

  /** A changelog without a version may begin with anything: that is version 1. */
  private static int version(DataInputStream in) throws IOException, LogFormatException {
    String text;
    try {
      text = in.readUTF();
    } catch (EOFException | UTFDataFormatException record) {
      return 1;
    }
    if (!text.startsWith("v")) {
      return 1;
    }
    int version;
    try {
      version = Short.parseShort(text.substring(1));
    } catch (NumberFormatException record) {
      return 1;
    }
    if (version < 1 || version > NEWEST_VERSION) {
      throw new LogFormatException(
          FindingCode.STATE_FILE_CORRUPT,
          "it is a changelog of version " + version + "; known are 1 to " + NEWEST_VERSION);
    }
    return version;
  }

  private static SortedMap<Long, String> lineage(String json) throws LogFormatException {
    Optional<JsonNode> array = Json.parse(json).filter(JsonNode::isArray);
    if (array.isEmpty()) {
      throw corrupt(json);
    }
    SortedMap<Long, String> lineage = new TreeMap<>();
    for (JsonNode item : array.get()) {
      OptionalLong version = Json.exactLong(item.get("version"));
      if (version.isEmpty() || !item.path("checkpointUniqueId").isTextual()) {
        throw corrupt(json);
      }
      lineage.put(version.getAsLong(), item.path("checkpointUniqueId").asText());
    }
    return lineage;
  }

  private static LogFormatException corrupt(String json) {
    return new LogFormatException(
        FindingCode.STATE_FILE_CORRUPT,
        "its lineage is not the list of versions and ids that Spark writes: "
            + LogText.quote(json));
  }
}
