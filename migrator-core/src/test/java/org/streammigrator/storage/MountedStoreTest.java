package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountedStoreTest extends StoreContract {
  @TempDir private Path directory;

  @Override
  protected Store store() {
    return new MountedStore();
  }

  @Override
  protected Location emptyPlace() {
    return Location.of(directory);
  }

  @Test
  void knowsWhereAPlaceIsMounted() {
    for (String[] each :
        new String[][] {
          {"/Volumes/main/ops/chk/a", "/Volumes/main"},
          {"dbfs:/Volumes/main", "/Volumes/main"},
          {"dbfs:/mnt/lake/a", "/dbfs/mnt"},
          {"/dbfs/mnt/lake/a", "/dbfs/mnt"},
        }) {
      Location place = Location.parse(each[0], Path.of("/"));
      assertThat(MountedStore.mountOf(place)).isEqualTo(Path.of(each[1]));
    }
  }

  @Test
  void trustsWhatIsMountedWithNothing() throws IOException {
    assertThat(store().traits(emptyPlace())).isEqualTo(new StoreTraits(false, false, false, false));
  }
}
