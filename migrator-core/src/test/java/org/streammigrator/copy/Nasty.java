package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Trees with everything that file systems allow, and what they hold, for comparison. */
final class Nasty {

  private Nasty() {}

  /** A file or directory as a test compares it. */
  record Entry(boolean directory, String content, Instant modified) {}

  static void tree(Path root) throws IOException {
    file(root, "metadata", "{\"id\":\"x\"}", "2024-05-06T07:08:09.123456789Z");
    file(root, "offsets/0", "v1\n{}\n5", "2024-05-06T07:08:09.000000001Z");
    file(root, "offsets/.0.crc", "crc\0", "2024-05-06T07:08:09.5Z");
    file(root, "state/0/_metadata/metadata", "v1", "2024-01-01T00:00:00Z");
    file(root, "state/0/0/_metadata/schema", "", "1970-01-01T00:00:00Z");
    file(root, "a", "1", "1969-12-31T23:59:58.25Z");
    file(root, "a-b", "2", "2261-01-01T00:00:00.000000999Z");
    file(root, "a b/%20 #?=+:&'\"", "3", "2001-01-01T00:00:00.1Z");
    file(root, "größe/日本/🎈", "4", "2001-01-01T00:00:00.12Z");
    file(root, "line\nbreak/\ttab", "5", "2001-01-01T00:00:00.123Z");
    file(root, "back\\slash", "6", "2001-01-01T00:00:00.1234Z");
    file(root, "manifest.json", "not the manifest", "2001-01-01T00:00:00Z");
    file(root, "checkpoint/metadata", "nested", "2001-01-01T00:00:00Z");
    file(root, "..hidden/...", "7", "2001-01-01T00:00:00Z");
    file(
        root,
        "x".repeat(99) + "/" + "ü".repeat(100) + "/" + "z".repeat(255),
        "8",
        "2001-01-01T00:00:00.000000007Z");
    file(root, "spaces  /  ", "9", "2001-01-01T00:00:00Z");
    Files.createDirectories(root.resolve("empty/.below/ü"));
    Files.createDirectories(root.resolve("commits"));
  }

  static Path file(Path root, String path, String content, String modified) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, content, UTF_8);
    Files.setLastModifiedTime(file, FileTime.from(Instant.parse(modified)));
    return file;
  }

  private static String content(Path file) throws IOException {
    byte[] bytes = Files.readAllBytes(file);
    return bytes.length <= 20
        ? new String(bytes, ISO_8859_1)
        : HexFormat.of().formatHex(Sha256.digest().digest(bytes));
  }

  /** Everything below a directory, by relative path, with content and time of files. */
  static Map<String, Entry> entries(Path root) throws IOException {
    Map<String, Entry> entries = new TreeMap<>();
    if (!Files.exists(root)) {
      return entries;
    }
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        boolean directory = Files.isDirectory(path);
        entries.put(
            root.relativize(path).toString(),
            new Entry(
                directory,
                directory
                    ? ""
                    : Files.readString(path, java.nio.charset.StandardCharsets.ISO_8859_1),
                directory ? Instant.EPOCH : Files.getLastModifiedTime(path).toInstant()));
      }
    }
    return entries;
  }
}
