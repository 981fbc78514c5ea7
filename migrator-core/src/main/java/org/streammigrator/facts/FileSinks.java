package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.OptionalLong;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads facts from a file sink's log, {@code _spark_metadata}: entry {@code n} or {@code n.compact}
 * for batch n ({@code FileStreamSinkLog} in Spark).
 */
public final class FileSinks {
  /** The name of a file sink's log, in its output directory. */
  public static final String LOG = "_spark_metadata";

  private final Store store;

  public FileSinks(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The last batch that was written into a directory, whichever query wrote it.
   *
   * @return empty if the directory has no log
   * @throws NoSuchFileException if there is no such directory
   */
  public OptionalLong lastBatch(Location sink) throws IOException {
    if (store.stat(sink).isEmpty()) {
      throw new NoSuchFileException(sink.toString());
    }
    return lastEntry(sink.child(LOG));
  }

  /**
   * The newest entry of a log.
   *
   * @param log the log's directory
   * @return empty if there is none
   */
  public OptionalLong lastEntry(Location log) throws IOException {
    if (store.stat(log).filter(StoreEntry::isDirectory).isEmpty()) {
      return OptionalLong.empty();
    }
    return store.list(log).stream()
        .filter(StoreEntry::isFile)
        .map(entry -> entry.location().name())
        .filter(name -> name.matches("[0-9]{1,18}(\\.compact)?"))
        .mapToLong(name -> Long.parseLong(name.replace(".compact", "")))
        .max();
  }
}
