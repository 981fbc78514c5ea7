package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.EtagSource;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.UnsupportedFileSystemException;
import org.apache.hadoop.security.AccessControlException;

/**
 * Any file system that Hadoop knows.
 *
 * <p>HDFS and what is compatible with it moves directories atomically, creates exclusively and
 * keeps times. Azure's storage does the first two with a hierarchical namespace only, which is
 * asked of it; everything else is trusted with nothing.
 */
final class HadoopStore implements Store {
  private static final Set<String> LIKE_HDFS = Set.of("hdfs", "webhdfs", "swebhdfs", "ofs");

  /** Mount points: what is below them moves and keeps times, and creates as it can. */
  private static final String MOUNTS = "viewfs";

  private static final Set<String> AZURE = Set.of("abfs", "abfss");

  /** ABFS has access control lists exactly where it has a hierarchical namespace. */
  private static final String HIERARCHICAL = "fs.capability.paths.acls";

  private final FileSystem files;
  private final StoreTraits traits;

  private HadoopStore(FileSystem files, StoreTraits traits) {
    this.files = requireNonNull(files, "files");
    this.traits = requireNonNull(traits, "traits");
  }

  /**
   * The store of a location's authority.
   *
   * @param settings Hadoop settings, besides those of Hadoop's own files
   */
  static HadoopStore of(Location location, Map<String, String> settings) throws IOException {
    try {
      return of(HadoopConnectors.open(path(location).toUri(), configuration(settings)), location);
    } catch (UnsupportedFileSystemException unknown) {
      throw unserved(location);
    } catch (IOException failure) {
      throw translated(location, failure);
    } catch (RuntimeException failure) {
      throw translated(location, failure);
    }
  }

  private static UnservedPlaceException unserved(Location location) {
    return new UnservedPlaceException(
        location,
        "there is no file system for the scheme "
            + location.scheme()
            + ":; put its Hadoop connector on the class path (MIGRATOR_CLASSPATH) or name another"
            + " place");
  }

  static HadoopStore of(FileSystem files, Location location) throws IOException {
    boolean mounts = location.scheme().equals(MOUNTS);
    boolean hdfs = LIKE_HDFS.contains(location.scheme());
    boolean namespace =
        AZURE.contains(location.scheme()) && files.hasPathCapability(path(location), HIERARCHICAL);
    return new HadoopStore(
        files,
        new StoreTraits(hdfs || mounts || namespace, hdfs || mounts, hdfs || namespace, false));
  }

  static Configuration configuration(Map<String, String> settings) {
    Configuration configuration = new Configuration();
    settings.forEach(configuration::set);
    return configuration;
  }

  @Override
  public StoreTraits traits(Location location) {
    return traits;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    // ABFS lists a directory of flat storage twice: once by its marker, once by what is below.
    Map<String, StoreEntry> entries = new TreeMap<>();
    try {
      FileStatus[] children = files.listStatus(path(directory));
      if (children.length == 1 && children[0].isFile()) {
        checkDirectory(directory);
      }
      for (FileStatus child : children) {
        String name = child.getPath().getName();
        entries.putIfAbsent(name, entry(directory.below(name), child));
      }
    } catch (IOException failure) {
      throw translated(directory, failure);
    }
    return List.copyOf(entries.values());
  }

  private void checkDirectory(Location directory) throws IOException {
    if (files.getFileStatus(path(directory)).isFile()) {
      throw new NotDirectoryException(directory.toString());
    }
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    List<StoreEntry> entries = new ArrayList<>();
    walk(directory, entries);
    entries.sort(Comparator.comparing(entry -> entry.location().path()));
    return List.copyOf(entries);
  }

  private void walk(Location directory, List<StoreEntry> entries) throws IOException {
    for (StoreEntry entry : list(directory)) {
      entries.add(entry);
      if (entry.isDirectory()) {
        walk(entry.location(), entries);
      }
    }
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    try {
      return Optional.of(entry(location, files.getFileStatus(path(location))));
    } catch (FileNotFoundException missing) {
      return Optional.empty();
    } catch (IOException failure) {
      if (isBelowAFile(failure)) {
        return Optional.empty();
      }
      throw translated(location, failure);
    }
  }

  private static boolean isBelowAFile(IOException failure) {
    return failure instanceof org.apache.hadoop.fs.ParentNotDirectoryException
        || String.valueOf(failure.getMessage()).contains("Not a directory");
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return open(file, 0);
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    try {
      FileStatus status = files.getFileStatus(path(file));
      if (status.isDirectory()) {
        throw new FileSystemException(file.toString(), null, "it is a directory, not a file");
      }
      if (offset > 0 && offset >= status.getLen()) {
        return InputStream.nullInputStream();
      }
      FSDataInputStream in = files.open(path(file));
      if (offset > 0) {
        in.seek(offset);
      }
      return in;
    } catch (IOException failure) {
      throw translated(file, failure);
    }
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    Path path = path(file);
    OutputStream out;
    try {
      out = files.createFile(path).recursive().overwrite(false).build();
    } catch (IOException failure) {
      throw translated(file, failure);
    }
    try {
      content.writeTo(out);
    } catch (IOException | RuntimeException failure) {
      removeAfter(failure, out, path);
      throw failure;
    }
    try {
      out.close();
      if (modified.isPresent() && traits.keepsTimes()) {
        files.setTimes(path, modified.get().toEpochMilli(), -1);
      }
    } catch (IOException failure) {
      removeAfter(failure, out, path);
      throw translated(file, failure);
    }
    return Receipt.NONE;
  }

  /** A file that was not written to its end is not left to be taken for whole. */
  private void removeAfter(Exception failure, OutputStream out, Path path) {
    try {
      out.close();
    } catch (IOException second) {
      failure.addSuppressed(second);
    }
    try {
      files.delete(path, false);
    } catch (IOException second) {
      failure.addSuppressed(second);
    }
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    try {
      if (!files.mkdirs(path(directory))) {
        throw new IOException(directory + " could not be made");
      }
    } catch (IOException failure) {
      throw translated(directory, failure);
    }
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    if (!traits.publishes()) {
      throw new UnsupportedOperationException("no atomic move to " + target);
    }
    Path to = path(target);
    try {
      Optional<StoreEntry> there = stat(target);
      if (there.isPresent()) {
        boolean free = there.get().isDirectory() && stat(staged).orElseThrow().isDirectory();
        if (!free || !list(target).isEmpty()) {
          throw new FileAlreadyExistsException(target.toString());
        }
        files.delete(to, false);
      }
      files.mkdirs(to.getParent());
      if (!files.rename(path(staged), to)) {
        throw new FileAlreadyExistsException(target.toString(), null, "it could not be renamed to");
      }
    } catch (IOException failure) {
      throw translated(target, failure);
    }
  }

  @Override
  public void delete(Location location) throws IOException {
    try {
      files.delete(path(location), false);
    } catch (PathIsNotEmptyDirectoryException notEmpty) {
      throw new DirectoryNotEmptyException(location.toString());
    } catch (IOException failure) {
      throw translated(location, failure);
    }
  }

  @Override
  public void deleteAll(Collection<Location> locations) throws IOException {
    for (Location location : locations) {
      delete(location);
    }
  }

  private static Path path(Location location) {
    return new Path(
        location.scheme(),
        location.authority().isEmpty() ? null : location.authority(),
        location.path());
  }

  private static StoreEntry entry(Location location, FileStatus status) {
    StoreEntry.Kind kind =
        status.isDirectory()
            ? StoreEntry.Kind.DIRECTORY
            : status.isFile() ? StoreEntry.Kind.FILE : StoreEntry.Kind.OTHER;
    Optional<String> tag =
        status instanceof EtagSource source
            ? Optional.ofNullable(source.getEtag())
            : Optional.empty();
    return new StoreEntry(
        location,
        kind,
        kind == StoreEntry.Kind.FILE ? status.getLen() : 0,
        Instant.ofEpochMilli(status.getModificationTime()),
        tag);
  }

  private static IOException translated(Location location, Exception failure) {
    IOException translated;
    String text =
        failure.getMessage() == null ? failure.getClass().getName() : failure.getMessage();
    String first = text.lines().findFirst().orElse(text);
    if (failure instanceof FileSystemException known) {
      return known;
    } else if (failure instanceof FileNotFoundException) {
      translated = new NoSuchFileException(location.toString());
    } else if (failure instanceof org.apache.hadoop.fs.FileAlreadyExistsException) {
      translated = new FileAlreadyExistsException(location.toString());
    } else if (failure instanceof AccessControlException) {
      translated = new AccessDeniedException(location.toString(), null, first);
    } else {
      translated = new IOException(location + ": " + first);
    }
    translated.initCause(failure);
    return translated;
  }
}
