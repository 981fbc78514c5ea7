package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Passes every call on to another store; a decorator overrides what it changes. */
public abstract class ForwardingStore implements Store {
  private final Store store;

  protected ForwardingStore(Store store) {
    this.store = requireNonNull(store, "store");
  }

  @Override
  public StoreTraits traits(Location location) throws IOException {
    return store.traits(location);
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
  public InputStream open(Location file, long offset) throws IOException {
    return store.open(file, offset);
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    return store.readAll(file);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return store.write(file, content, modified);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    return store.copyWithin(from, to, modified);
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
  public void deleteAll(Collection<Location> locations) throws IOException {
    store.deleteAll(locations);
  }
}
