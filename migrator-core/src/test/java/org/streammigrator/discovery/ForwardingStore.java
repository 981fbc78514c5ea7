package org.streammigrator.discovery;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Passes everything on. */
class ForwardingStore implements Store {
  private final Store store;

  ForwardingStore(Store store) {
    this.store = store;
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
  public void write(Location file, Content content, Optional<Instant> modified) throws IOException {
    store.write(file, content, modified);
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    store.createDirectory(directory);
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    store.publish(staged, target);
  }

  @Override
  public void delete(Location location) throws IOException {
    store.delete(location);
  }

  @Override
  public Optional<Closeable> tryLock(Location file) throws IOException {
    return store.tryLock(file);
  }
}
