package org.streammigrator.jobs.copy;

import java.io.Serializable;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.streammigrator.copy.CopiedFile;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.storage.StoreEntry;

/**
 * What a task says of its {@link CopyPart}: of each file the SHA-256, and how it is known again.
 */
final class CopiedPart implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int HASH = 32;

  private final byte[] hashes;
  private final String[] tags;
  private final boolean[] timed;

  CopiedPart(List<CopiedFile> files) {
    hashes = new byte[HASH * files.size()];
    tags = new String[files.size()];
    timed = new boolean[files.size()];
    for (int i = 0; i < files.size(); i++) {
      CopiedFile file = files.get(i);
      byte[] hash = HexFormat.of().parseHex(file.file().sha256());
      System.arraycopy(hash, 0, hashes, HASH * i, HASH);
      tags[i] = file.targetTag().orElse(null);
      // A target that keeps times has the source's, which the driver knows.
      timed[i] = file.targetModified().isPresent();
    }
  }

  /** Hands out the files of the part, all of them proven. */
  void forEach(CopyPart part, Consumer<CopiedFile> done) {
    for (int i = 0; i < part.size(); i++) {
      StoreEntry source = part.source(i);
      Instant modified = source.modified();
      done.accept(
          new CopiedFile(
              new ManifestFile(
                  part.path(i),
                  source.size(),
                  HexFormat.of().formatHex(hashes, HASH * i, HASH * (i + 1)),
                  modified),
              source.tag(),
              Optional.ofNullable(tags[i]),
              timed[i] ? Optional.of(modified) : Optional.empty(),
              true));
    }
  }
}
