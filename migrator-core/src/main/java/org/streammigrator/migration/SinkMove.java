package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import org.streammigrator.authoring.Draft;
import org.streammigrator.storage.Location;

/**
 * A file sink whose output directory moved: its log has to be written at the new place.
 *
 * @param oldLog the log that names the files at the old place; it is only read
 * @param newLog where the rewritten log goes, {@code _spark_metadata} in the new directory
 * @param draft the files of the new log
 * @param fingerprint of the old log's files, as they were surveyed
 */
record SinkMove(Location oldLog, Location newLog, Draft draft, String fingerprint) {
  SinkMove {
    requireNonNull(oldLog, "oldLog");
    requireNonNull(newLog, "newLog");
    requireNonNull(draft, "draft");
    requireNonNull(fingerprint, "fingerprint");
  }
}
