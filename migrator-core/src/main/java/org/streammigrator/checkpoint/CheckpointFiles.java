package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Optional;

/** Looks things up in a listing that is sorted by path, without copying or indexing it. */
final class CheckpointFiles {
  private CheckpointFiles() {}

  /** What lies below a directory, itself not included: a view, as long as the listing lives. */
  static List<CheckpointFile> below(List<CheckpointFile> sorted, String directory) {
    // '0' follows '/' in every order of characters that Java knows.
    return sorted.subList(position(sorted, directory + "/"), position(sorted, directory + "0"));
  }

  /** The entry of a path. */
  static Optional<CheckpointFile> find(List<CheckpointFile> sorted, String path) {
    int position = position(sorted, path);
    return position < sorted.size() && sorted.get(position).path().equals(path)
        ? Optional.of(sorted.get(position))
        : Optional.empty();
  }

  /** The position of the first entry that is not before a path. */
  private static int position(List<CheckpointFile> sorted, String path) {
    int low = 0;
    int high = sorted.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (sorted.get(middle).path().compareTo(path) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
