package org.streammigrator.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Directory trees in tests. */
final class Trees {
  private Trees() {}

  static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        Path target = to.resolve(from.relativize(path).toString());
        if (Files.isDirectory(path)) {
          Files.createDirectories(target);
        } else {
          Files.copy(path, target, StandardCopyOption.COPY_ATTRIBUTES);
        }
      }
    }
  }

  /** Removes a directory with everything in it. */
  static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }

  /** Every file and empty directory, by path, with its time and bytes. */
  static Map<String, String> bytesAndTimes(Path root) throws IOException {
    Map<String, String> files = new TreeMap<>();
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        if (Files.isRegularFile(path)) {
          files.put(
              root.relativize(path).toString(),
              Files.getLastModifiedTime(path).toInstant()
                  + " "
                  + HexFormat.of().formatHex(Files.readAllBytes(path)));
        }
      }
    }
    return files;
  }

  static String withoutTime(String bytesAndTime) {
    return bytesAndTime.substring(bytesAndTime.indexOf(' '));
  }
}
