package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.Collection;
import java.util.Optional;

/**
 * A store that reads everywhere, and writes and deletes in one place and below it only; everything
 * else it throws on. What runs over it cannot harm what lies elsewhere, whatever it means to do.
 */
public final class ConfinedStore extends ForwardingStore {
  private final Store store;
  private final Location place;

  /**
   * Confines a store.
   *
   * @param place what may be written
   */
  public ConfinedStore(Store store, Location place) {
    super(store);
    this.store = store;
    this.place = requireNonNull(place, "place");
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return super.write(allowed(file), content, modified);
  }

  @Override
  public Receipt writeLater(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return store.writeLater(allowed(file), content, modified);
  }

  @Override
  public void settle(Location directory) throws IOException {
    store.settle(directory);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    return super.copyWithin(from, allowed(to), modified);
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    super.createDirectory(allowed(directory));
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    super.publish(allowed(staged), allowed(target));
  }

  @Override
  public void delete(Location location) throws IOException {
    super.delete(allowed(location));
  }

  @Override
  public void deleteAll(Collection<Location> locations) throws IOException {
    locations.forEach(this::allowed);
    super.deleteAll(locations);
  }

  private Location allowed(Location location) {
    if (!location.equals(place) && !location.isInside(place)) {
      throw new IllegalStateException(
          "nothing but " + place + " is written here, and this would have been: " + location);
    }
    return location;
  }
}
