package org.streammigrator.storage;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
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
 *   <li>A file whose {@link #write} returned is whole and durable, and every later call sees it.
 *       One whose write failed or was cut short by a crash may be there in part, or whole, unless
 *       {@link StoreTraits#wholeOrNothing}.
 *   <li>{@link #publish} is atomic, where it is there ({@link StoreTraits#publishes}): callers
 *       write below a staging name and publish. Elsewhere they write in place, what makes the whole
 *       usable last.
 *   <li>Nothing is ever overwritten. A write may say that the file exists although it was this very
 *       write that made it: a store that lost the answer to a request sends it again. Callers
 *       compare the bytes.
 *   <li>A directory need not exist of itself: in an object store there is one where there is
 *       something below it, and {@link #createDirectory} may do nothing.
 * </ul>
 *
 * Implementations are safe for use by several threads.
 */
public interface Store {

  /** What the store can do at a place, which need not exist. */
  StoreTraits traits(Location location) throws IOException;

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
   * The bytes of a file from an offset on; the caller closes the stream. A store that can asks for
   * these bytes only.
   *
   * @param offset in bytes, from 0; at or beyond the end of the file the stream is empty
   */
  default InputStream open(Location file, long offset) throws IOException {
    InputStream in = open(file);
    try {
      for (long left = offset; left > 0; ) {
        long skipped = in.skip(left);
        if (skipped <= 0 && in.read() < 0) {
          break;
        }
        left -= Math.max(skipped, 1);
      }
      return in;
    } catch (IOException | RuntimeException failure) {
      in.close();
      throw failure;
    }
  }

  /**
   * Writes a new file, with the directories above it, and sets its modification time where the
   * store can.
   *
   * @param content called once; what it throws is thrown on, and then nothing counts as written
   * @param modified the time to set; now if empty
   * @return what the store says of what it took
   * @throws java.nio.file.FileAlreadyExistsException if something is there already
   */
  Receipt write(Location file, Content content, Optional<Instant> modified) throws IOException;

  /**
   * {@link #write Writes} a file that need not be durable before {@link #settle}: for many files
   * that may be much faster.
   */
  default Receipt writeLater(Location location, Content content, Optional<Instant> modified)
      throws IOException {
    return write(location, content, modified);
  }

  /** Makes durable what was {@link #writeLater written} below a directory. */
  default void settle(Location directory) throws IOException {}

  /**
   * Copies a file inside the store, without its bytes passing through this process.
   *
   * <p>Another writer of the target at the same moment may be overwritten where the store's own
   * copy cannot exclude it: callers hold the target's lock.
   *
   * @param from the file as it was listed; a store that can refuses to copy another state of it
   * @param modified as in {@link #write}
   * @return empty if the store does not do that between these places; nothing is written then
   * @throws java.nio.file.FileAlreadyExistsException if something is at the target already
   */
  default Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    return Optional.empty();
  }

  /** Makes a directory and those above it; does nothing if it is there. */
  void createDirectory(Location directory) throws IOException;

  /**
   * Gives a file or directory its final name in one atomic move. An empty directory at the target
   * is replaced; anything else there stays and is an error.
   *
   * @throws UnsupportedOperationException unless {@link StoreTraits#publishes}
   * @throws java.nio.file.FileAlreadyExistsException if the target is a file or a directory that is
   *     not empty
   */
  void publish(Location staged, Location target) throws IOException;

  /** Deletes a file or an empty directory; does nothing if there is none. */
  void delete(Location location) throws IOException;

  /** {@link #delete Deletes} many, in the order given as far as the store keeps one. */
  default void deleteAll(Collection<Location> locations) throws IOException {
    for (Location location : locations) {
      delete(location);
    }
  }

  /** The whole of a small file. */
  default byte[] readAll(Location file) throws IOException {
    try (InputStream in = open(file)) {
      return in.readAllBytes();
    }
  }
}
