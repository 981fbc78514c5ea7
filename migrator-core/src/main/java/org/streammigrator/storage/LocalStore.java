package org.streammigrator.storage;

import java.io.BufferedOutputStream;
import java.io.FileInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The local disk, by {@code java.nio}: Hadoop's local file system starts a process for every file
 * it makes. {@link #publish} is {@code rename(2)} and so atomic within one file system; a staging
 * place beside its target is always on the same one.
 */
public final class LocalStore implements Store {
  private static final StoreTraits TRAITS = new StoreTraits(true, true, true, false);

  private final LocalSync unforced = new LocalSync();

  @Override
  public StoreTraits traits(Location location) {
    return TRAITS;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return list(directory, name -> true);
  }

  @Override
  public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    List<StoreEntry> entries = new ArrayList<>();
    try (DirectoryStream<Path> children = Files.newDirectoryStream(local(directory))) {
      for (Path child : children) {
        String name = child.getFileName().toString();
        if (wanted.test(name)) {
          entries.add(entry(directory.below(name), child));
        }
      }
    } catch (DirectoryIteratorException failure) {
      throw failure.getCause();
    }
    return sorted(entries);
  }

  @Override
  public boolean isLink(Location location) {
    return Files.isSymbolicLink(location.localPath());
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return LocalWalk.of(existingDirectory(directory), directory);
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    Path path = local(location);
    try {
      return Optional.of(
          LocalWalk.entry(location, Files.readAttributes(path, BasicFileAttributes.class)));
    } catch (NoSuchFileException missing) {
      return Files.isSymbolicLink(path) ? Optional.of(LocalWalk.other(location)) : Optional.empty();
    } catch (NotDirectoryException fileAbove) {
      return Optional.empty();
    } catch (java.nio.file.FileSystemException failure) {
      if (failure.getReason() != null && failure.getReason().contains("Not a directory")) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  @Override
  public InputStream open(Location file) throws IOException {
    Path path = local(file);
    try {
      // Reads small files with fewer calls than a channel, and without buffers outside of the heap.
      return new FileInputStream(path.toFile());
    } catch (FileNotFoundException failure) {
      if (Files.isDirectory(path)) {
        throw new FileSystemException(file.toString(), null, "it is a directory, not a file");
      }
      return Files.newInputStream(path); // It tells why.
    }
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    FileChannel channel = FileChannel.open(local(file), StandardOpenOption.READ);
    return Channels.newInputStream(channel.position(offset));
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    Path path = local(file);
    try (FileInputStream in = new FileInputStream(path.toString())) {
      return in.readAllBytes(); // With fewer calls than a channel takes.
    } catch (FileNotFoundException failure) {
      return readAll(path); // It tells why.
    }
  }

  private static byte[] readAll(Path path) throws IOException {
    try {
      return Files.readAllBytes(path);
    } catch (IOException failure) {
      if (Files.isDirectory(path)) {
        throw new FileSystemException(path.toString(), null, "it is a directory, not a file");
      }
      throw failure;
    }
  }

  @Override
  public Receipt write(Location location, Content content, Optional<Instant> modified)
      throws IOException {
    write(local(location), content, modified, true);
    return Receipt.NONE;
  }

  @Override
  public Receipt writeLater(Location location, Content content, Optional<Instant> modified)
      throws IOException {
    Path path = local(location);
    write(path, content, modified, false);
    unforced.add(path);
    return Receipt.NONE;
  }

  @Override
  public void settle(Location directory) throws IOException {
    unforced.settle(local(directory));
  }

  private static void write(Path path, Content content, Optional<Instant> modified, boolean forced)
      throws IOException {
    try (FileChannel channel = create(path)) {
      NamedOutputStream file = new NamedOutputStream(path, channel);
      if (content.held().isPresent()) {
        content.writeTo(file);
      } else {
        OutputStream out = new BufferedOutputStream(file, 1 << 13);
        content.writeTo(out);
        out.flush();
      }
      if (forced) {
        file.force();
      }
    }
    if (modified.isPresent()) {
      Files.setLastModifiedTime(path, FileTime.from(modified.get()));
    }
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    Files.createDirectories(local(directory));
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    Path from = local(staged);
    Path to = local(target);
    Files.createDirectories(to.getParent());
    if (Files.exists(to) && !Files.isDirectory(to)) {
      throw new FileAlreadyExistsException(to.toString());
    }
    if (Files.isDirectory(from)) {
      // rename(2) replaces an empty directory and refuses any other.
      try {
        Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
      } catch (DirectoryNotEmptyException notEmpty) {
        throw alreadyThere(to, notEmpty);
      } catch (java.nio.file.FileSystemException failure) {
        if (Files.isDirectory(to) && !isEmpty(to)) {
          throw alreadyThere(to, failure);
        }
        throw failure;
      }
    } else {
      // A hard link fails where a rename would silently replace.
      Files.createLink(to, from);
      Files.delete(from);
    }
    syncDirectory(to.getParent());
  }

  @Override
  public void delete(Location location) throws IOException {
    Files.deleteIfExists(local(location));
  }

  private static FileChannel create(Path path) throws IOException {
    try {
      return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (NoSuchFileException noDirectory) {
      Files.createDirectories(path.getParent());
      return FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }
  }

  private static Path existingDirectory(Location directory) throws IOException {
    Path path = local(directory);
    if (!Files.exists(path)) {
      throw new NoSuchFileException(path.toString());
    }
    if (!Files.isDirectory(path)) {
      throw new NotDirectoryException(path.toString());
    }
    return path;
  }

  private static StoreEntry entry(Location location, Path path) throws IOException {
    try {
      return LocalWalk.entry(location, Files.readAttributes(path, BasicFileAttributes.class));
    } catch (NoSuchFileException | FileSystemLoopException brokenLink) {
      return LocalWalk.other(location);
    } catch (FileSystemException failure) {
      if (Files.isSymbolicLink(path)) {
        return LocalWalk.other(location); // "Too many levels of symbolic links"
      }
      throw failure;
    }
  }

  private static List<StoreEntry> sorted(List<StoreEntry> entries) {
    entries.sort(Comparator.comparing(entry -> entry.location().path()));
    return List.copyOf(entries);
  }

  private static boolean isEmpty(Path directory) throws IOException {
    try (Stream<Path> children = Files.list(directory)) {
      return children.findAny().isEmpty();
    }
  }

  private static FileAlreadyExistsException alreadyThere(Path path, IOException cause) {
    FileAlreadyExistsException failure = new FileAlreadyExistsException(path.toString());
    failure.initCause(cause);
    return failure;
  }

  private static void syncDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  private static Path local(Location location) throws UnservedPlaceException {
    if (!location.isLocal() && !location.scheme().equals("dbfs")) {
      throw new UnservedPlaceException(location, "it is on no disk of this machine");
    }
    return location.localPath();
  }
}
