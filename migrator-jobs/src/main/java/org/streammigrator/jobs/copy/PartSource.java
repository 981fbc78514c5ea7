package org.streammigrator.jobs.copy;

import java.io.InputStream;
import java.io.InterruptedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.streammigrator.copy.CopySource;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A file of a task.
 *
 * @param entry the file as it was listed
 * @param killed whether nobody wants it any more
 */
record PartSource(String path, StoreEntry entry, BooleanSupplier killed) implements CopySource {

  @Override
  public long size() {
    return entry.size();
  }

  @Override
  public Instant modified() {
    return entry.modified();
  }

  @Override
  public Optional<StoreEntry> stored() {
    return Optional.of(entry);
  }

  @Override
  public Content content(Store store) {
    return out -> {
      if (killed.getAsBoolean()) {
        throw new InterruptedIOException("the task was killed");
      }
      try (InputStream in = store.open(entry.location())) {
        in.transferTo(out);
      }
    };
  }
}
