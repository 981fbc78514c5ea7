package org.streammigrator.copy;

import java.io.IOException;
import java.util.List;

/** A tree holds something that cannot be copied: a broken link, a device, a closed directory. */
public final class UnreadableSourceException extends IOException {
  private static final int SHOWN = 5;

  UnreadableSourceException(String root, List<String> paths) {
    super(
        root
            + " holds "
            + (paths.size() == 1 ? "something" : paths.size() + " things")
            + " that cannot be read as a file or as a directory: "
            + String.join(", ", paths.subList(0, Math.min(SHOWN, paths.size())))
            + (paths.size() > SHOWN ? ", ..." : "")
            + ". Remove broken and looping links, give read permission, rename what is not in UTF-8");
  }
}
