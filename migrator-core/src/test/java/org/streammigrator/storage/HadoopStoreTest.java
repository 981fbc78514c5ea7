package org.streammigrator.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Hadoop's own file system of mount points, over the local disk. */
class HadoopStoreTest extends StoreContract {
  @TempDir private Path directory;
  private Store store;

  @BeforeEach
  void mount() {
    Location root = Location.parse("viewfs://mounts", Path.of("/"));
    store =
        new Stores(
            new StorageSettings(
                Map.of(
                    root,
                    Map.of(
                        "fs.viewfs.mounttable.mounts.link./data", directory.toUri().toString()))));
  }

  @Override
  protected Store store() {
    mount();
    return store;
  }

  @Override
  protected Location emptyPlace() {
    try {
      Files.createDirectories(directory.resolve("place"));
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    return Location.parse("viewfs://mounts/data/place", Path.of("/"));
  }
}
