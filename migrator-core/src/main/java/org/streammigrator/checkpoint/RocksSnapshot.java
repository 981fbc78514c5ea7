package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * What the entry {@code metadata} of a RocksDB snapshot's zip says.
 *
 * <p>Rules from Spark's {@code RocksDBCheckpointMetadata} (4.2.0): the line {@code v1}, then JSON
 * with {@code sstFiles} ({@code dfsSstFileName}), {@code logFiles} ({@code dfsLogFileName}; null
 * where there are none) and {@code numKeys}. The files lie in {@code SSTs/} and {@code logs/}
 * beside the zip and have to have exactly the size that stands there; several zips may name one
 * file.
 *
 * @param files the files that it needs beside it
 * @param keys the number of keys; -1 if it was not counted
 */
record RocksSnapshot(List<Named> files, long keys) {
  private static final int LARGEST_METADATA = 16 << 20;
  private static final String VERSION = "v1";

  RocksSnapshot {
    files = List.copyOf(files);
  }

  /**
   * A file beside the zip.
   *
   * @param path relative to the store's directory
   * @param size bytes; empty if the metadata names none
   */
  record Named(String path, OptionalLong size) {}

  /**
   * Reads a zip up to its metadata.
   *
   * @throws IOException if it is no sound zip
   * @throws LogFormatException where Spark could not read its metadata
   */
  static RocksSnapshot read(InputStream file) throws IOException, LogFormatException {
    try (ZipInputStream entries = new ZipInputStream(file)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        if (entry.getName().equals("metadata")) {
          return parse(entries.readNBytes(LARGEST_METADATA));
        }
      }
    } catch (IllegalArgumentException badName) {
      throw new IOException("not a zip file", badName);
    }
    throw new IOException("it is no zip file, or one without an entry called metadata");
  }

  static RocksSnapshot parse(byte[] metadata) throws LogFormatException {
    String text = new String(metadata, StandardCharsets.UTF_8);
    int line = text.indexOf('\n');
    String version = line < 0 ? text : text.substring(0, line).replace("\r", "");
    if (!version.equals(VERSION)) {
      throw corrupt("it begins with " + LogText.quote(version) + " where Spark wants v1");
    }
    JsonNode node =
        Json.parseObject(text.substring(line + 1)).orElseThrow(() -> corrupt("it holds no JSON"));
    List<Named> files = new ArrayList<>();
    named(node.path("sstFiles"), "dfsSstFileName", files);
    named(node.path("logFiles"), "dfsLogFileName", files);
    return new RocksSnapshot(files, Json.exactLong(node.get("numKeys")).orElse(-1));
  }

  private static void named(JsonNode list, String field, List<Named> into)
      throws LogFormatException {
    for (JsonNode entry : list) {
      String name = entry.path(field).asText();
      if (name.isEmpty() || name.contains("/")) {
        throw corrupt("it names a file " + LogText.quote(name));
      }
      String directory = name.endsWith(".sst") ? "SSTs/" : name.endsWith(".log") ? "logs/" : "";
      into.add(new Named(directory + name, Json.exactLong(entry.get("sizeBytes"))));
    }
  }

  private static LogFormatException corrupt(String message) {
    return new LogFormatException(FindingCode.STATE_FILE_CORRUPT, message);
  }
}
