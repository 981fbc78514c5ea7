package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * An object store of which one listing lags: it shows what was there before the newest changes of
 * this process, or before all of them. The contract of {@link Store} says that listings do not lag;
 * this is a store that breaks it.
 */
public final class LaggingStore extends ForwardingStore {
  private record Change(StoreEntry entry, boolean created) {}

  private final Store store;
  private final int staleAt;
  private final int changesBehind;
  private final List<Change> changes = new ArrayList<>();
  private int listings;
  private boolean lagged;

  /**
   * Wraps an object store.
   *
   * @param staleAt the listing that lags; the first one is 1
   * @param changesBehind how many changes it does not show yet, 1 or more
   */
  public LaggingStore(int staleAt, int changesBehind, Store store) {
    super(store);
    this.store = store;
    this.staleAt = staleAt;
    this.changesBehind = changesBehind;
  }

  /** The number of listings so far. */
  public synchronized int listings() {
    return listings;
  }

  /** Whether a listing was other than it should have been. */
  public synchronized boolean lagged() {
    return lagged;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return isStale()
        ? stale(directory).stream()
            .filter(entry -> entry.location().relativeTo(directory).indexOf('/') < 0)
            .toList()
        : store.list(directory);
  }

  @Override
  public List<StoreEntry> list(Location directory, java.util.function.Predicate<String> wanted)
      throws IOException {
    return list(directory).stream().filter(e -> wanted.test(e.location().name())).toList();
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return isStale() ? stale(directory) : store.walk(directory);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    Receipt receipt = store.write(file, content, modified);
    changed(file, true);
    return receipt;
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    Optional<Receipt> receipt = store.copyWithin(from, to, modified);
    changed(to, true);
    return receipt;
  }

  @Override
  public void delete(Location location) throws IOException {
    changed(location, false);
    store.delete(location);
  }

  private synchronized void changed(Location file, boolean created) throws IOException {
    Optional<StoreEntry> entry = store.stat(file).filter(StoreEntry::isFile);
    entry.ifPresent(there -> changes.add(new Change(there, created)));
  }

  private synchronized boolean isStale() {
    return ++listings == staleAt;
  }

  private synchronized List<StoreEntry> stale(Location directory) throws IOException {
    Map<String, StoreEntry> files = new TreeMap<>();
    try {
      for (StoreEntry entry : store.walk(directory)) {
        if (entry.isFile()) {
          files.put(entry.location().relativeTo(directory), entry);
        }
      }
    } catch (NoSuchFileException none) {
      // There may have been something.
    }
    Map<String, StoreEntry> now = new TreeMap<>(files);
    for (int i = changes.size() - 1; i >= Math.max(0, changes.size() - changesBehind); i--) {
      Change change = changes.get(i);
      if (change.entry().location().isInside(directory)) {
        String path = change.entry().location().relativeTo(directory);
        if (change.created()) {
          files.remove(path);
        } else {
          files.put(path, change.entry());
        }
      }
    }
    lagged |= !now.equals(files);
    if (files.isEmpty()) {
      throw new NoSuchFileException(directory.toString());
    }
    Map<String, StoreEntry> entries = new TreeMap<>(files);
    for (String path : files.keySet()) {
      for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        String above = path.substring(0, slash);
        entries.putIfAbsent(
            above,
            new StoreEntry(directory.child(above), StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH));
      }
    }
    return List.copyOf(entries.values());
  }
}
