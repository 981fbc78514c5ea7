package org.streammigrator.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/** The double of a disk keeps the contract that the real ones keep. */
class MemoryDiskTest extends StoreContract {
  private final Store store = new MemoryDisk();

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Location emptyPlace() {
    Location place = Location.parse("hdfs://nn/place", Path.of("/"));
    try {
      store.createDirectory(place);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return place;
  }
}
