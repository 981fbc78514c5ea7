package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * All stores as one: each location is served by the store of its scheme, with the settings that
 * hold for it. A store is made when a location first needs it, so that a run over local paths loads
 * nothing of the others.
 */
public final class Stores implements Store {
  private final StorageSettings settings;
  private final Map<String, StoreMaker> makers;
  private final Store local = new LocalStore();
  private final Map<String, Store> others = new ConcurrentHashMap<>();

  /** Stores of local disks, S3 and whatever Hadoop knows. */
  public Stores(StorageSettings settings) {
    this(settings, Map.of());
  }

  /**
   * Stores of these and more.
   *
   * @param makers by the scheme that they serve
   */
  public Stores(StorageSettings settings, Map<String, StoreMaker> makers) {
    this.settings = requireNonNull(settings, "settings");
    this.makers = Map.copyOf(makers);
  }

  /** Stores of the same schemes with more settings, which win over those of this one. */
  public Stores with(StorageSettings more) {
    return new Stores(settings.with(more), makers);
  }

  private Store of(Location location) throws IOException {
    if (location.isLocal()) {
      return local;
    }
    StoreMaker maker = makers.get(location.scheme());
    String key =
        location.scheme()
            + "://"
            + location.authority()
            + (maker == null ? "" : maker.storeOf(location))
            + " "
            + settings.prefixOf(location).map(Location::toString).orElse("");
    Store store = others.get(key);
    if (store == null) {
      synchronized (others) {
        store = others.get(key);
        if (store == null) {
          store = make(location, Optional.ofNullable(maker));
          others.put(key, store);
        }
      }
    }
    return store;
  }

  private Store make(Location location, Optional<StoreMaker> maker) throws IOException {
    try {
      Map<String, String> those = settings.of(location);
      if (maker.isPresent()) {
        return maker.get().make(location, those);
      }
      return switch (location.scheme()) {
        case "s3a", "s3", "s3n" -> S3Store.of(location, those);
        default -> HadoopStore.of(location, those);
      };
    } catch (LinkageError missing) {
      throw new UnservedPlaceException(
          location,
          "the classes for "
              + location.scheme()
              + ": are not on the class path ("
              + missing.getMessage()
              + ")");
    }
  }

  @Override
  public StoreTraits traits(Location location) throws IOException {
    return of(location).traits(location);
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return of(directory).list(directory);
  }

  @Override
  public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
    return of(directory).list(directory, wanted);
  }

  @Override
  public boolean isLink(Location location) throws IOException {
    return of(location).isLink(location);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return of(directory).walk(directory);
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return of(location).stat(location);
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return of(file).open(file);
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    return of(file).open(file, offset);
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    return of(file).readAll(file);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return of(file).write(file, content, modified);
  }

  @Override
  public Receipt writeLater(Location location, Content content, Optional<Instant> modified)
      throws IOException {
    return of(location).writeLater(location, content, modified);
  }

  @Override
  public void settle(Location directory) throws IOException {
    of(directory).settle(directory);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    Store store = of(to);
    return of(from.location()) == store ? store.copyWithin(from, to, modified) : Optional.empty();
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    of(directory).createDirectory(directory);
  }

  /** Within one store; nothing is moved from one store to another. */
  @Override
  public void publish(Location staged, Location target) throws IOException {
    Store store = of(target);
    if (of(staged) != store) {
      throw new UnsupportedOperationException(staged + " and " + target + " are in two stores");
    }
    store.publish(staged, target);
  }

  @Override
  public void delete(Location location) throws IOException {
    of(location).delete(location);
  }

  @Override
  public void deleteAll(Collection<Location> locations) throws IOException {
    Map<Store, List<Location>> byStore = new LinkedHashMap<>();
    for (Location location : locations) {
      byStore.computeIfAbsent(of(location), store -> new ArrayList<>()).add(location);
    }
    for (Map.Entry<Store, List<Location>> part : byStore.entrySet()) {
      part.getKey().deleteAll(part.getValue());
    }
  }
}
