package org.streammigrator.authoring;

import java.time.Instant;
import java.util.Optional;
import org.streammigrator.copy.CopySource;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Where the bytes of a drafted file come from. */
record TargetSource(TargetFile file, Location from, Optional<StoreEntry> stored)
    implements CopySource {

  /**
   * The source of a file.
   *
   * @param from the old checkpoint
   */
  static TargetSource of(TargetFile file, Location from) {
    if (file instanceof TargetFile.Copied copied) {
      return new TargetSource(
          file,
          from,
          Optional.of(
              new StoreEntry(
                  from.child(copied.from().path()),
                  StoreEntry.Kind.FILE,
                  copied.size(),
                  copied.modified(),
                  copied.from().tag())));
    }
    return new TargetSource(file, from, Optional.empty());
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public Instant modified() {
    return file.modified();
  }

  @Override
  public Content content(Store store) {
    return file.content(store, from);
  }
}
