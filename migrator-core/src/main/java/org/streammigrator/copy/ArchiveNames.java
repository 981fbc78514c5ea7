package org.streammigrator.copy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.List;

/** What archives are called. */
final class ArchiveNames {
  private static final int MAX_NAME_BYTES = 200;

  private ArchiveNames() {}

  /** The name of an archive of trees as they stand: another one for every other state of them. */
  static String of(List<ArchiveSource> sources) {
    String state;
    String name;
    if (sources.size() == 1) {
      ListedTree tree = sources.get(0).tree();
      name = tree.root().name().isEmpty() ? "root" : tree.root().name();
      state = tree.listing().fingerprint(tree.root());
    } else {
      name = "checkpoints";
      MessageDigest digest = Sha256.digest();
      for (ArchiveSource source : sources) {
        ListedTree tree = source.tree();
        digest.update(tree.listing().fingerprint(tree.root()).getBytes(StandardCharsets.UTF_8));
      }
      state = Sha256.hex(digest);
    }
    String portable = name.replaceAll("[\\p{Cntrl}:\\\\*?\"<>|]", "_");
    while (portable.getBytes(StandardCharsets.UTF_8).length > MAX_NAME_BYTES) {
      portable = portable.substring(0, portable.offsetByCodePoints(portable.length(), -1));
    }
    return portable + '-' + state.substring(0, 12) + ArchiveFormat.SUFFIX;
  }
}
