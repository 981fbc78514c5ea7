package org.streammigrator.copy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What one thread copies at a time.
 *
 * @param file a file
 * @param checksum the checksum file that is about it and copied with it, if there is one
 */
record CopyUnit(CopySource file, Optional<CopySource> checksum) {

  /**
   * The units of some sources. A checksum file whose file is not among them is a unit by itself.
   */
  static List<CopyUnit> of(List<? extends CopySource> sources) {
    Map<String, CopySource> checksums = new HashMap<>();
    Set<String> plain = new HashSet<>();
    for (CopySource source : sources) {
      if (source.checksumOf().isPresent()) {
        checksums.put(source.checksumOf().get().path(), source);
      } else {
        plain.add(source.path());
      }
    }
    checksums.keySet().retainAll(plain);
    List<CopyUnit> units = new ArrayList<>(sources.size());
    for (CopySource source : sources) {
      Optional<CopySource> guarded = source.checksumOf();
      if (guarded.isEmpty() || !checksums.containsKey(guarded.get().path())) {
        units.add(new CopyUnit(source, Optional.ofNullable(checksums.get(source.path()))));
      }
    }
    return units;
  }
}
