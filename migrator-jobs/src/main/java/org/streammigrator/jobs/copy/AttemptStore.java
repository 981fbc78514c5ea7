package org.streammigrator.jobs.copy;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreTraits;

/**
 * Writes each file under a name of its own beside the target and then gives it its final one, so
 * that no file is ever there in part, and several attempts at one task, at the same time too, do
 * not see each other's. Only for stores that publish.
 */
final class AttemptStore extends ForwardingStore {
  private final Location attempt;
  private final AtomicLong number = new AtomicLong();

  /**
   * A store for one attempt.
   *
   * @param attempt a directory that only this attempt writes to
   */
  AttemptStore(Store store, Location attempt) {
    super(store);
    this.attempt = attempt;
  }

  @Override
  public StoreTraits traits(Location location) throws IOException {
    StoreTraits traits = super.traits(location);
    return new StoreTraits(traits.publishes(), traits.keepsTimes(), traits.exclusiveCreate(), true);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    Location part = attempt.child(Long.toString(number.incrementAndGet()));
    boolean published = false;
    try {
      Receipt receipt = super.write(part, content, modified);
      publish(part, file);
      published = true;
      return receipt;
    } finally {
      if (!published) {
        delete(part);
      }
    }
  }
}
