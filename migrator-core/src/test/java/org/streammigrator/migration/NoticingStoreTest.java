package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** What is an answer of the store, and what is none. */
class NoticingStoreTest {
  @TempDir private Path directory;

  @Test
  void remembersWhatFailedUntilSomethingElseIsLookedAt() throws IOException {
    NoticingStore store =
        new NoticingStore(FaultStore.failingOnceAt(2, FaultStore.Fault.BEFORE, new LocalStore()));
    Location place = Location.of(directory);
    store.list(place);
    store.check();
    assertThatIOException().isThrownBy(() -> store.list(place));
    store.list(place);
    assertThatIOException().isThrownBy(store::check).withMessageContaining("connection reset");
    store.begin();
    store.check();
  }

  @Test
  void whatIsNotThereIsAnAnswer() throws IOException {
    NoticingStore store = new NoticingStore(new LocalStore());
    Location place = Location.of(directory);
    assertThatIOException()
        .isThrownBy(() -> store.readAll(place.child("none")))
        .isInstanceOf(NoSuchFileException.class);
    store.check();
  }

  /** One stream's failure is not the next one's. */
  @Test
  void aStreamGoesOnAfterAnotherOneFailed() throws IOException {
    for (String old : new String[] {"a", "b"}) {
      Trees.copy(
          Path.of("../src-test-fixtures/checkpoints/rate/checkpoint"), directory.resolve(old));
    }
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - {name: a, strategy: relocate, checkpoint: {from: a, to: a2}}
          - {name: b, strategy: relocate, checkpoint: {from: b, to: b2}}
        """);
    Console console = new Console(directory);
    FaultStore counting = FaultStore.counting(new LocalStore());
    assertThat(console.run(counting, "plan", "plan.yaml")).isZero();
    int stopped = 0;
    for (int call = 5; call < 29; call += 3) {
      FaultStore faulty = FaultStore.failingOnceAt(call, FaultStore.Fault.BEFORE, new LocalStore());
      boolean begun =
          console.run(faulty, "apply", "plan.yaml") == 5
              && console.printed().contains("of 2 streams");
      if (begun) {
        stopped++;
        assertThat(console.printed()).contains("1 of 2 streams");
      }
      assertThat(console.run("rollback", "plan.yaml")).as(console.printed()).isZero();
    }
    assertThat(stopped).isPositive();
  }
}
