package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What loading one version of the whole state takes.
 *
 * @param version the version; the batch of that number reads it
 * @param files the paths of all files that are needed and there
 * @param missing by operator, what is needed and not there or too short, as paths inside the
 *     checkpoint
 * @param corrupt the paths among {@code missing} that are there and cannot be used, with the reason
 */
public record StateVersion(
    long version,
    List<String> files,
    Map<Integer, List<String>> missing,
    Map<String, String> corrupt) {

  public StateVersion {
    files = List.copyOf(files);
    missing = java.util.Collections.unmodifiableMap(new TreeMap<>(missing));
    corrupt = java.util.Collections.unmodifiableMap(new TreeMap<>(corrupt));
  }

  /** Whether every store of every partition can build the version. */
  public boolean loadable() {
    return missing.isEmpty();
  }
}
