package org.streammigrator.copy;

import java.io.IOException;
import java.util.Collection;
import org.streammigrator.storage.Location;

/** An archive does not hold what was asked for. */
public final class UnknownEntryException extends IOException {
  private UnknownEntryException(String message) {
    super(message);
  }

  /**
   * There is no checkpoint of a name.
   *
   * @param name the name; empty if none was given, and one is needed
   * @param names those that there are
   */
  public static UnknownEntryException ofCheckpoint(
      Location archive, String name, Collection<String> names) {
    if (name.isEmpty()) {
      return new UnknownEntryException(
          archive
              + " holds several checkpoints; name one with --checkpoint: "
              + String.join(", ", names));
    }
    return new UnknownEntryException(
        archive
            + " holds no checkpoint '"
            + name
            + (names.contains("")
                ? "': it is an archive of one checkpoint, which has no name in it"
                : "'; it holds " + String.join(", ", names)));
  }

  static UnknownEntryException ofFile(Location archive, String name, String path) {
    return new UnknownEntryException(
        archive
            + " holds no file "
            + ArchiveFindings.shown(name, path)
            + "; migrator archive --list shows what it holds");
  }
}
