package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class S3StoreTest extends StoreContract {
  private static final AtomicInteger PLACES = new AtomicInteger();
  private static S3Server server;
  private static Location bucket;
  private static Store store;

  @BeforeAll
  static void start() throws IOException {
    server = S3Server.get();
    bucket = server.newBucket();
    store = server.stores(bucket);
  }

  @Override
  protected Store store() {
    return store;
  }

  @Override
  protected Location emptyPlace() {
    return bucket.child("place " + PLACES.incrementAndGet());
  }

  @Test
  void verifiesByTheTagWhatIsWrittenInParts() throws IOException {
    byte[] bytes = new byte[(20 << 20) + 3];
    new Random(7).nextBytes(bytes);
    Location file = emptyPlace().child("large");
    Receipt receipt = store.write(file, Content.of(bytes), Optional.empty());
    assertThat(receipt.verified()).isTrue();
    assertThat(receipt.tag()).hasValueSatisfying(tag -> assertThat(tag).contains("-3"));
    assertThat(store.readAll(file)).isEqualTo(bytes);
    assertThat(store.stat(file).orElseThrow().tag()).isEqualTo(receipt.tag());
  }

  @Test
  void listsMoreThanAPage() throws Exception {
    Location place = emptyPlace();
    ExecutorService threads = Executors.newFixedThreadPool(8);
    List<Callable<Receipt>> writes = new ArrayList<>();
    for (int i = 0; i < 1205; i++) {
      Location file = place.child("d/" + i);
      writes.add(() -> store.write(file, Content.of(new byte[0]), Optional.empty()));
    }
    for (Future<Receipt> write : threads.invokeAll(writes)) {
      write.get();
    }
    threads.shutdown();
    assertThat(store.list(place.child("d"))).hasSize(1205);
    assertThat(store.walk(place)).hasSize(1206);
    store.deleteAll(store.list(place.child("d")).stream().map(StoreEntry::location).toList());
    assertThat(store.stat(place)).isEmpty();
  }

  @Test
  void tellsAWrongSecretWithoutRepeatingIt() throws IOException {
    Map<String, String> wrong = new HashMap<>(server.settings());
    wrong.put("fs.s3a.secret.key", "TOPSECRET");
    Store denied = new Stores(new StorageSettings(Map.of(bucket, wrong)));
    assertThatExceptionOfType(AccessDeniedException.class)
        .isThrownBy(() -> denied.walk(bucket.child("x")))
        .satisfies(failure -> assertThat(failure.toString()).doesNotContain("TOPSECRET"));
    assertThat(new StorageSettings(Map.of(bucket, wrong)).toString()).doesNotContain("TOPSECRET");
  }

  @Test
  void namesABucketThatIsNotThere() {
    Location other = Location.parse("s3a://no-such-bucket-here/a", Path.of("/"));
    Store all =
        new Stores(
            new StorageSettings(
                Map.of(
                    Location.parse("s3a://no-such-bucket-here", Path.of("/")), server.settings())));
    assertThatExceptionOfType(NoSuchFileException.class).isThrownBy(() -> all.list(other));
  }

  @Test
  void refusesASchemeThatNobodyServes() {
    for (String place : List.of("nosuch://a/b", "gs://a/b")) {
      assertThatExceptionOfType(UnservedPlaceException.class)
          .isThrownBy(() -> store.stat(Location.parse(place, Path.of("/"))))
          .withMessageContaining("MIGRATOR_CLASSPATH");
    }
  }
}
