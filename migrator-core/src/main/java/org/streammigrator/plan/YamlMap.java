package org.streammigrator.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** A map of a YAML document, in the order of the document. */
record YamlMap(Origin origin, Map<String, Entry> entries) implements YamlNode {

  /** A key's own place, and its value. */
  record Entry(Origin key, YamlNode value) {}

  YamlMap {
    entries = Collections.unmodifiableMap(new LinkedHashMap<>(entries));
  }

  static YamlMap empty(Origin origin) {
    return new YamlMap(origin, Map.of());
  }

  Optional<YamlNode> get(String key) {
    return Optional.ofNullable(entries.get(key)).map(Entry::value);
  }

  Optional<YamlMap> map(String key) {
    return get(key).filter(YamlMap.class::isInstance).map(YamlMap.class::cast);
  }

  /** This map over another one: maps merge deeply, every other value of this one wins. */
  YamlMap over(YamlMap other) {
    Map<String, Entry> merged = new LinkedHashMap<>(entries);
    other.entries.forEach(
        (key, theirs) -> {
          Entry own = entries.get(key);
          if (own == null) {
            merged.put(key, theirs);
          } else if (own.value() instanceof YamlMap ownMap
              && theirs.value() instanceof YamlMap theirMap) {
            merged.put(key, new Entry(own.key(), ownMap.over(theirMap)));
          }
        });
    return new YamlMap(origin, merged);
  }

  YamlMap with(String key, Entry entry) {
    Map<String, Entry> more = new LinkedHashMap<>(entries);
    more.put(key, entry);
    return new YamlMap(origin, more);
  }

  YamlMap without(String key) {
    Map<String, Entry> fewer = new LinkedHashMap<>(entries);
    fewer.remove(key);
    return new YamlMap(origin, fewer);
  }

  @Override
  public String describe() {
    return "a map";
  }
}
