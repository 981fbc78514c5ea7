package org.streammigrator.migration;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** A store in which some files are not there. */
final class HidingStore extends ForwardingStore {
  private final Set<Location> hidden;

  HidingStore(Store store, Set<Location> hidden) {
    super(store);
    this.hidden = Set.copyOf(hidden);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return shown(super.walk(directory));
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return shown(super.list(directory));
  }

  @Override
  public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    return shown(super.list(directory, wanted));
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return hidden.contains(location) ? Optional.empty() : super.stat(location);
  }

  private List<StoreEntry> shown(List<StoreEntry> entries) {
    return entries.stream().filter(entry -> !hidden.contains(entry.location())).toList();
  }
}
