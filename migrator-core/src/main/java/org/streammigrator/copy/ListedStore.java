package org.streammigrator.copy;

import java.io.IOException;
import java.util.List;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** A store that remembers what one tree was listed with, so that it is not listed again. */
final class ListedStore extends ForwardingStore {
  private final Location root;
  private final List<StoreEntry> entries;

  ListedStore(Store store, Location root, List<StoreEntry> entries) {
    super(store);
    this.root = root;
    this.entries = List.copyOf(entries);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return directory.equals(root) ? entries : super.walk(directory);
  }
}
