package org.streammigrator.storage;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;

/** On the machine's own disk. */
class LocalStoreTest extends StoreContract {
  @TempDir(factory = TempDirFactory.Standard.class)
  private Path directory;

  @Override
  protected Store store() {
    return new LocalStore();
  }

  @Override
  protected Location emptyPlace() {
    return Location.of(directory);
  }
}
