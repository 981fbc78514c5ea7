package org.streammigrator.storage;

import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * A store that reads and throws on everything else: a dry run is the real code over this store, so
 * that a dry run that would write is a failure and not a promise.
 */
public final class ReadOnlyStore extends ForwardingStore {

  public ReadOnlyStore(Store store) {
    super(store);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified) {
    throw refused(file);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified) {
    throw refused(to);
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
  public void deleteAll(Collection<Location> locations) {
    locations.forEach(this::delete);
  }

  private static IllegalStateException refused(Location location) {
    return new IllegalStateException(
        "a dry run must not write, and this one tried to: " + location);
  }
}
