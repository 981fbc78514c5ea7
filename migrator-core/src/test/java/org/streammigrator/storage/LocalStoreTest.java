package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** On the machine's own disk. */
class LocalStoreTest extends StoreContract {
  private static final Instant TIME = Instant.parse("2020-02-29T01:02:03.123456789Z");

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

  @ParameterizedTest
  @ValueSource(ints = {3, 200})
  void whatIsWrittenLaterIsThereAtOnceAndSettled(int files) throws IOException {
    Store store = new LocalStore();
    Location place = emptyPlace().child("new");
    for (int i = 0; i < files; i++) {
      store.writeLater(place.child(i % 7 + "/" + i), Content.of(new byte[i]), Optional.of(TIME));
      assertThat(store.readAll(place.child(i % 7 + "/" + i))).hasSize(i);
    }
    store.settle(place);
    store.settle(place);
    assertThat(store.walk(place).stream().filter(StoreEntry::isFile))
        .hasSize(files)
        .allMatch(entry -> entry.modified().equals(TIME));
    // What is gone by then cannot be forced, and that is told.
    store.writeLater(place.child("gone"), Content.of(new byte[1]), Optional.empty());
    store.delete(place.child("gone"));
    assertThatIOException().isThrownBy(() -> store.settle(place));
  }
}
