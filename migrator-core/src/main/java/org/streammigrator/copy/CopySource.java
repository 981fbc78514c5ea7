package org.streammigrator.copy;

import java.time.Instant;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** A file that is going to stand in a copy, and where its bytes come from. */
public interface CopySource {

  /** Its path in the copy, names separated by slashes. */
  String path();

  /** Its size in bytes. */
  long size();

  /** Its modification time. */
  Instant modified();

  /**
   * The file, as it was listed, whose bytes these are unchanged; empty if they are made otherwise.
   * What it was listed with tells a later run whether it has changed.
   */
  Optional<StoreEntry> stored();

  /**
   * The file of which this is Hadoop's checksum file, {@code .NAME.crc}; empty if it is none. One
   * that contradicts its file is not copied.
   */
  default Optional<CopySource> checksumOf() {
    return Optional.empty();
  }

  /** The bytes, the same each time they are asked for. */
  Content content(Store store);
}
