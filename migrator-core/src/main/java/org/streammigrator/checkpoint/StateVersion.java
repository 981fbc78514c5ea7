package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What loading one version of the whole state takes.
 *
 * @param version the version; the batch of that number reads it
 * @param files all files that are needed and there
 * @param missing by operator, what is needed and not there or too short, as paths inside the
 *     checkpoint
 * @param corrupt the paths among {@code missing} that are there and cannot be used, with the reason
 * @param passedOver snapshots that cannot be used and that Spark 4.2 passes over for an older one,
 *     with the reason; up to 4.1 the query stops at them
 * @param keys by operator, the number of keys in all its stores; -1 where the names and headers of
 *     files do not say so
 */
public record StateVersion(
    long version,
    List<CheckpointFile> files,
    Map<Integer, List<String>> missing,
    Map<String, String> corrupt,
    Map<String, String> passedOver,
    Map<Integer, Long> keys) {

  public StateVersion {
    files = List.copyOf(files);
    missing = java.util.Collections.unmodifiableMap(new TreeMap<>(missing));
    corrupt = java.util.Collections.unmodifiableMap(new TreeMap<>(corrupt));
    passedOver = java.util.Collections.unmodifiableMap(new TreeMap<>(passedOver));
    keys = java.util.Collections.unmodifiableMap(new TreeMap<>(keys));
  }

  /** Whether every store of every partition can build the version, in Spark 4.2. */
  public boolean loadable() {
    return missing.isEmpty();
  }
}
