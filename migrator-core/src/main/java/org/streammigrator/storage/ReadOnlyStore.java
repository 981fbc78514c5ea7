package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A store that reads and throws on everything else: a dry run is the real code over this store, so
 * that a dry run that would write is a failure and not a promise.
 */
public final class ReadOnlyStore implements Store {
  private final Store store;

  public ReadOnlyStore(Store store) {
    this.store = requireNonNull(store, "store");
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return store.list(directory);
  }

  @Override
  public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    return store.list(directory, wanted);
  }

  @Override
  public boolean isLink(Location location) throws IOException {
    return store.isLink(location);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return store.walk(directory);
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return store.stat(location);
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return store.open(file);
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    return store.readAll(file);
  }

  @Override
  public void write(Location file, Content content, Optional<Instant> modified) {
    throw refused(file);
  }

  @Override
  public void createDirectory(Location directory) {
    throw refused(directory);
  }

  @Override
  public void publish(Location staged, Location target) {
    throw refused(target);
  }

  @Override
  public void delete(Location location) {
    throw refused(location);
  }

  @Override
  public Optional<Closeable> tryLock(Location file) {
    throw refused(file);
  }

  private static IllegalStateException refused(Location location) {
    return new IllegalStateException(
        "a dry run must not write, and this one tried to: " + location);
  }
}
