package org.streammigrator.archival;

import java.io.IOException;
import org.streammigrator.storage.Location;

/** There is no journal where one was expected. */
public final class NoJournalException extends IOException {
  NoJournalException(Location directory) {
    super(
        directory
            + " holds no journal of a plan; name the directory that holds 000001.json, by default"
            + " <plan name>.journal beside the plan file");
  }
}
