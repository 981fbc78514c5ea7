package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import io.delta.kernel.defaults.engine.fileio.FileIO;
import io.delta.kernel.defaults.engine.fileio.InputFile;
import io.delta.kernel.defaults.engine.fileio.OutputFile;
import io.delta.kernel.defaults.engine.fileio.SeekableInputStream;
import io.delta.kernel.internal.util.Utils;
import io.delta.kernel.utils.CloseableIterator;
import io.delta.kernel.utils.FileStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What Delta Kernel reads files through: the store, so that tables are read wherever checkpoints
 * are, with the same credentials and limits. It only reads.
 */
final class KernelFiles implements FileIO {
  private final Store store;

  KernelFiles(Store store) {
    this.store = requireNonNull(store, "store");
  }

  @Override
  public CloseableIterator<FileStatus> listFrom(String path) throws IOException {
    Location first = location(path);
    Location directory = first.parent().orElseThrow();
    List<StoreEntry> entries;
    try {
      entries = store.list(directory);
    } catch (NoSuchFileException | NotDirectoryException none) {
      throw notFound(directory, none);
    }
    Iterator<FileStatus> sorted =
        entries.stream()
            .filter(StoreEntry::isFile)
            .filter(entry -> entry.location().name().compareTo(first.name()) >= 0)
            .sorted(Comparator.comparing(entry -> entry.location().name()))
            .map(KernelFiles::status)
            .iterator();
    return Utils.toCloseableIterator(sorted);
  }

  @Override
  public FileStatus getFileStatus(String path) throws IOException {
    Location file = location(path);
    return status(store.stat(file).orElseThrow(() -> notFound(file, null)));
  }

  @Override
  public String resolvePath(String path) {
    return location(path).toString();
  }

  @Override
  public InputFile newInputFile(String path, long size) {
    return new StoreFile(store, location(path), size);
  }

  @Override
  public Optional<String> getConf(String key) {
    return Optional.empty();
  }

  @Override
  public boolean mkdirs(String path) {
    throw readOnly();
  }

  @Override
  public OutputFile newOutputFile(String path) {
    throw readOnly();
  }

  @Override
  public boolean delete(String path) {
    throw readOnly();
  }

  @Override
  public void copyFileAtomically(String from, String to, boolean overwrite) {
    throw readOnly();
  }

  private static IllegalStateException readOnly() {
    return new IllegalStateException("facts are read, and nothing is written");
  }

  private static Location location(String path) {
    return Location.parse(path, Path.of("/"));
  }

  private static FileStatus status(StoreEntry entry) {
    return FileStatus.of(
        entry.location().toString(), entry.size(), entry.modified().toEpochMilli());
  }

  private static FileNotFoundException notFound(Location place, IOException cause) {
    FileNotFoundException missing = new FileNotFoundException(place.toString());
    missing.initCause(cause);
    return missing;
  }

  /** A file of the store. */
  private record StoreFile(Store store, Location file, long size) implements InputFile {
    @Override
    public long length() throws IOException {
      return size > 0 ? size : store.stat(file).orElseThrow(() -> notFound(file, null)).size();
    }

    @Override
    public String path() {
      return file.toString();
    }

    @Override
    public SeekableInputStream newStream() throws IOException {
      try {
        return new SpooledStream(store, file);
      } catch (NoSuchFileException missing) {
        throw notFound(file, missing);
      }
    }
  }
}
