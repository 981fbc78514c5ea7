package org.streammigrator.storage;

import java.nio.file.Path;

/** The double of an object store keeps the contract that the real ones keep. */
class MemoryObjectStoreTest extends StoreContract {
  private final Store store = new MemoryObjectStore();

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Location emptyPlace() {
    return Location.parse("s3a://bucket/place", Path.of("/"));
  }
}
