package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class AzureStoreTest extends StoreContract {
  private static final AtomicInteger PLACES = new AtomicInteger();
  private static AzureServer server;
  private static Location container;
  private static Store store;

  @BeforeAll
  static void start() throws IOException {
    server = AzureServer.get();
    container = server.newContainer();
    store = server.stores(container);
  }

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Location emptyPlace() {
    return container.child("place " + PLACES.incrementAndGet());
  }

  @Test
  void trustsStorageWithoutANamespaceWithNothing() throws IOException {
    assertThat(store.traits(container)).isEqualTo(new StoreTraits(false, false, false, false));
  }

  /** ABFS lists a subdirectory by its marker and by what is below it. */
  @Test
  void listsASubdirectoryOnce() throws IOException {
    Location place = emptyPlace();
    for (String file : new String[] {"a/b/1", "a/b/2", "a/c/1", "d/1"}) {
      store.write(place.child(file), Content.of(new byte[1]), Optional.empty());
    }
    assertThat(store.list(place)).hasSize(2);
    assertThat(store.walk(place)).hasSize(8);
  }

  @Test
  void tellsAWrongKeyWithoutRepeatingIt() {
    String wrong = Base64.getEncoder().encodeToString("TOPSECRET".getBytes());
    Map<String, String> settings = new HashMap<>(server.settings());
    settings.replaceAll((name, value) -> value.equals(AzureServer.KEY) ? wrong : value);
    Location other = server.newContainer();
    Store denied = new Stores(new StorageSettings(Map.of(other, settings)));
    assertThatIOException()
        .isThrownBy(() -> denied.walk(other.child("x")))
        .satisfies(failure -> assertThat(failure.toString()).doesNotContain(wrong));
  }
}
