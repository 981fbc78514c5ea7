package org.streammigrator.storage;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The few things this program does to storage.
 *
 * <p>Guarantees that every implementation gives:
 *
 * <ul>
 *   <li>Failures are the exceptions of {@code java.nio.file} where one fits ({@link
 *       java.nio.file.NoSuchFileException}, {@link java.nio.file.FileAlreadyExistsException},
 *       {@link java.nio.file.AccessDeniedException}, {@link java.nio.file.NotDirectoryException}),
 *       so that callers can tell them apart; everything else is an {@link IOException}.
 *   <li>A file whose {@link #write} returned is whole and durable. One whose write failed or was
 *       cut short by a crash may be there in part: only {@link #publish} is atomic. Callers write
 *       below a staging name and publish.
 *   <li>Nothing is ever overwritten.
 * </ul>
 *
 * Implementations are safe for use by several threads.
 */
public interface Store {

  /**
   * What lies directly in a directory, sorted by name.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  List<StoreEntry> list(Location directory) throws IOException;

  /**
   * The entries of {@link #list} whose names are wanted. A store that has to ask about each file
   * one by one asks about these only, so that a directory of a million data files costs its names.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  default List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    return list(directory).stream().filter(entry -> wanted.test(entry.location().name())).toList();
  }

  /** Whether the last name of a location is a symbolic link; never so in a store without them. */
  default boolean isLink(Location location) throws IOException {
    return false;
  }

  /**
   * Every file and directory below a directory, itself not included, sorted by path. Symbolic links
   * are followed; a link that leads back to a directory above it, or to nothing, and a directory
   * that may not be read, are listed as {@link StoreEntry.Kind#OTHER}.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws java.nio.file.NotDirectoryException if it is a file
   */
  List<StoreEntry> walk(Location directory) throws IOException;

  /** The file or directory at a location; empty if there is none. */
  Optional<StoreEntry> stat(Location location) throws IOException;

  /** The bytes of a file; the caller closes the stream. */
  InputStream open(Location file) throws IOException;

  /**
   * Writes a new file, with the directories above it, and sets its modification time where the
   * store can.
   *
   * @param modified the time to set; now if empty
   * @throws java.nio.file.FileAlreadyExistsException if something is there already
   */
  void write(Location file, Content content, Optional<Instant> modified) throws IOException;

  /** Makes a directory and those above it; does nothing if it is there. */
  void createDirectory(Location directory) throws IOException;

  /**
   * Gives a file or directory its final name in one atomic move. An empty directory at the target
   * is replaced; anything else there stays and is an error.
   *
   * @throws java.nio.file.FileAlreadyExistsException if the target is a file or a directory that is
   *     not empty
   */
  void publish(Location staged, Location target) throws IOException;

  /** Deletes a file or an empty directory; does nothing if there is none. */
  void delete(Location location) throws IOException;

  /**
   * Takes the exclusive lock that a file stands for, making the file. The lock ends with {@code
   * close} or with the process.
   *
   * @return empty if another process or thread holds it
   */
  Optional<Closeable> tryLock(Location file) throws IOException;

  /** The whole of a small file. */
  default byte[] readAll(Location file) throws IOException {
    try (InputStream in = open(file)) {
      return in.readAllBytes();
    }
  }
}
