package org.streammigrator.jobs.restart;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A copy of a checkpoint and the ways to damage it. Where a file is deleted, renamed or changed its
 * hidden checksum goes with it, unless the name of the method says otherwise.
 */
final class Damaged {
  /** L: the newest plan of the undamaged checkpoint, which is committed. */
  static final int NEWEST = OldQuery.BATCHES - 1;

  private final Path checkpoint;

  private Damaged(Path checkpoint) {
    this.checkpoint = checkpoint;
  }

  static Damaged copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
    return new Damaged(to);
  }

  Path path() {
    return checkpoint;
  }

  private Path at(String path) {
    return checkpoint.resolve(path);
  }

  private Path crc(String path) {
    Path file = at(path);
    return file.resolveSibling("." + file.getFileName() + ".crc");
  }

  Damaged delete(String path) throws IOException {
    Files.deleteIfExists(crc(path));
    return deleteWithoutCrc(path);
  }

  Damaged deleteWithoutCrc(String path) throws IOException {
    Files.delete(at(path));
    return this;
  }

  /** A directory and all below it. */
  Damaged deleteAll(String path) throws IOException {
    try (Stream<Path> files = Files.walk(at(path))) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
    return this;
  }

  Damaged rename(String from, String to) throws IOException {
    Files.deleteIfExists(crc(from));
    Files.createDirectories(at(to).getParent());
    Files.move(at(from), at(to));
    return this;
  }

  Damaged duplicate(String from, String to) throws IOException {
    Files.createDirectories(at(to).getParent());
    Files.copy(at(from), at(to));
    return this;
  }

  Damaged write(String path, String text) throws IOException {
    Files.createDirectories(at(path).getParent());
    Files.deleteIfExists(crc(path));
    return writeWithoutCrc(path, text);
  }

  Damaged writeWithoutCrc(String path, String text) throws IOException {
    Files.writeString(at(path), text, UTF_8);
    return this;
  }

  Damaged directory(String path) throws IOException {
    Files.createDirectories(at(path));
    return this;
  }

  Damaged empty(String path) throws IOException {
    return write(path, "");
  }

  /** Keeps the first bytes, or leaves out the last ones where the number is negative. */
  Damaged cut(String path, int bytes) throws IOException {
    byte[] content = Files.readAllBytes(at(path));
    Files.deleteIfExists(crc(path));
    Files.write(at(path), Arrays.copyOf(content, bytes < 0 ? content.length + bytes : bytes));
    return this;
  }

  /** Replaces a text, which has to be there. */
  Damaged edit(String path, String regex, String replacement) throws IOException {
    return write(path, replaced(path, regex, replacement));
  }

  Damaged editWithoutCrc(String path, String regex, String replacement) throws IOException {
    return writeWithoutCrc(path, replaced(path, regex, replacement));
  }

  private String replaced(String path, String regex, String replacement) throws IOException {
    String old = Files.readString(at(path), UTF_8);
    String now = old.replaceAll(regex, replacement);
    if (now.equals(old)) {
      throw new IllegalArgumentException("nothing in " + path + " is " + regex);
    }
    return now;
  }

  /** The files of a store whose names fit, sorted by the numbers in them. */
  List<String> stateFiles(String directory, String regex) {
    try (Stream<Path> files = Files.list(at(directory))) {
      return files
          .filter(Predicate.not(Files::isDirectory))
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches(regex))
          .sorted(Comparator.comparingInt(name -> Integer.parseInt(name.split("[._]")[0])))
          .map(name -> directory + "/" + name)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The newest file of a store whose name fits. */
  String newest(String directory, String regex) {
    List<String> files = stateFiles(directory, regex);
    if (files.isEmpty()) {
      throw new IllegalArgumentException("no " + regex + " in " + directory);
    }
    return files.get(files.size() - 1);
  }

  /** A file below a directory, whichever comes first by name. */
  String any(String directory) throws IOException {
    try (Stream<Path> files = Files.list(at(directory))) {
      return directory
          + "/"
          + files
              .map(file -> file.getFileName().toString())
              .filter(name -> !name.startsWith("."))
              .min(Comparator.naturalOrder())
              .orElseThrow();
    }
  }
}
