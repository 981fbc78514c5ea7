package org.streammigrator.checkpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What building one version of one store takes.
 *
 * @param files the files that are needed and there
 * @param missing the paths that are needed and not there or damaged
 * @param corrupt the paths among {@code missing} that are there and cannot be used, with the reason
 * @param passedOver broken snapshots that Spark 4.2 leaves aside for an older one, with the reason;
 *     older versions fail on them
 * @param keys the number of keys in the version; -1 where only the content of the files says so
 */
record StateChain(
    List<CheckpointFile> files,
    List<String> missing,
    Map<String, String> corrupt,
    Map<String, String> passedOver,
    long keys) {

  StateChain {
    files = List.copyOf(files);
    missing = List.copyOf(missing);
  }

  boolean complete() {
    return missing.isEmpty();
  }

  StateChain passingOver(Map<String, String> broken) {
    return new StateChain(files, missing, corrupt, broken, keys);
  }

  /** Collects a chain. */
  static final class Builder {
    private static final int MOST_MISSING = 1000;

    private final List<CheckpointFile> files = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();
    private final Map<String, String> corrupt = new LinkedHashMap<>();
    private long keys = -1;

    void take(CheckpointFile file) {
      files.add(file);
    }

    void missing(String path) {
      missing.add(path);
    }

    void corrupt(String path, String reason) {
      missing.add(path);
      corrupt.put(path, reason);
    }

    void keys(long number) {
      keys = number;
    }

    /** Whether it is worth looking for more that is missing. */
    boolean room() {
      return missing.size() < MOST_MISSING;
    }

    StateChain build() {
      return new StateChain(files, missing, corrupt, Map.of(), keys);
    }
  }
}
