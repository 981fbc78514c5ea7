package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The order in which a checkpoint is written under its final name, so that no Spark version starts
 * from a part of it: {@code metadata}, the newest offsets file L, everything else, {@code
 * offsets/L-1}.
 *
 * <p>Spark takes the newest offsets file and refuses to start if the one before it is missing
 * (MicroBatchExecution.populateStartOffsets), so that L goes before all other offsets files: else
 * an older pair of them could be started from meanwhile. If L is 0 or there is no L-1, L is last;
 * without offsets, {@code metadata} is.
 *
 * @param first one after the other, before everything else
 * @param last what makes it startable
 */
record WriteOrder(List<String> first, Optional<String> last) {
  private static final String METADATA = "metadata";
  private static final String OFFSETS = "offsets/";

  WriteOrder {
    first = List.copyOf(first);
    requireNonNull(last, "last");
  }

  static WriteOrder of(Collection<String> paths) {
    OptionalLong newest =
        paths.stream()
            .filter(path -> path.startsWith(OFFSETS))
            .map(path -> path.substring(OFFSETS.length()))
            .filter(name -> name.matches("[0-9]{1,18}"))
            .mapToLong(Long::parseLong)
            .max();
    if (newest.isEmpty()) {
      return new WriteOrder(
          List.of(), paths.contains(METADATA) ? Optional.of(METADATA) : Optional.empty());
    }
    List<String> first = new ArrayList<>();
    if (paths.contains(METADATA)) {
      first.add(METADATA);
    }
    String before = OFFSETS + (newest.getAsLong() - 1);
    if (!paths.contains(before)) {
      return new WriteOrder(first, Optional.of(OFFSETS + newest.getAsLong()));
    }
    first.add(OFFSETS + newest.getAsLong());
    return new WriteOrder(first, Optional.of(before));
  }
}
