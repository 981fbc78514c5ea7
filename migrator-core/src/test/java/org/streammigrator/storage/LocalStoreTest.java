package org.streammigrator.storage;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LocalStoreTest extends StoreContract {
  @TempDir private Path directory;

  @Override
  protected Store store() {
    return new LocalStore();
  }

  @Override
  protected Location emptyPlace() {
    return Location.of(directory);
  }
}
