package org.streammigrator.storage;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hadoop settings by the places they hold for, such as {@code fs.s3a.endpoint} below {@code
 * s3a://ops}. Of several that hold, those of the longest prefix win, key by key.
 *
 * <p>Values may be secrets: they are shown nowhere, {@link #toString} included.
 */
public final class StorageSettings {
  /** Nothing but what Hadoop and its environment say. */
  public static final StorageSettings NONE = new StorageSettings(Map.of());

  private final List<Location> prefixes;
  private final Map<Location, Map<String, String>> settings;

  /**
   * Settings.
   *
   * @param settings by prefix; a prefix holds for itself and everything below it
   */
  public StorageSettings(Map<Location, Map<String, String>> settings) {
    this.settings = new HashMap<>();
    settings.forEach((prefix, values) -> this.settings.put(prefix, Map.copyOf(values)));
    this.prefixes = new ArrayList<>(settings.keySet());
    this.prefixes.sort(Comparator.comparing(prefix -> prefix.path().length()));
  }

  /** These and more, which win key by key where both name a prefix. */
  public StorageSettings with(StorageSettings more) {
    Map<Location, Map<String, String>> all = new HashMap<>(settings);
    more.settings.forEach(
        (prefix, values) -> {
          Map<String, String> both = new HashMap<>(all.getOrDefault(prefix, Map.of()));
          both.putAll(values);
          all.put(prefix, both);
        });
    return new StorageSettings(all);
  }

  /** The settings that hold for a place. */
  public Map<String, String> of(Location location) {
    Map<String, String> all = new HashMap<>();
    for (Location prefix : prefixes) {
      if (holds(prefix, location)) {
        all.putAll(settings.get(prefix));
      }
    }
    return all;
  }

  /** The longest prefix that holds for a place. */
  Optional<Location> prefixOf(Location location) {
    Optional<Location> longest = Optional.empty();
    for (Location prefix : prefixes) {
      if (holds(prefix, location)) {
        longest = Optional.of(prefix);
      }
    }
    return longest;
  }

  private static boolean holds(Location prefix, Location location) {
    return location.equals(prefix) || location.isInside(prefix);
  }

  @Override
  public String toString() {
    return "settings for " + prefixes;
  }
}
