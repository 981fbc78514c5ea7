package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryObjectStore;
import org.streammigrator.storage.Store;

/** One operator at a time, by nothing but the store's contract. */
class OperatorLockTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-03-27T10:00:00Z"), ZoneOffset.UTC);
  private static final String ELSEWHERE = "0123456789ab-17-99-ba9876543210";

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"local", "memory"})
  void oneOfManyThreadsAtATime(String kind) throws Exception {
    Store store = store(kind);
    AtomicInteger inside = new AtomicInteger();
    AtomicInteger taken = new AtomicInteger();
    Callable<Void> operator =
        () -> {
          for (int i = 0; i < 20; i++) {
            try (OperatorLock lock = take(store, false)) {
              assertThat(inside.incrementAndGet()).isEqualTo(1);
              lock.check();
              taken.incrementAndGet();
              inside.decrementAndGet();
            } catch (LockedException held) {
              // Another one has it.
            }
          }
          return null;
        };
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      for (Future<Void> end :
          threads.invokeAll(IntStream.range(0, 4).mapToObj(i -> operator).toList())) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(taken).hasPositiveValue();
    assertThat(store.stat(place())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "memory"})
  void anotherMachinesClaimStandsUntilItIsTakenOver(String kind) throws IOException {
    Store store = store(kind);
    String json =
        "{\"user\":\"ann\",\"host\":\"far\",\"plan\":\"p\",\"started\":\"2026-03-27T09:00:00Z\"}";
    write(store, ELSEWHERE + ".claim.json", json);
    write(store, ELSEWHERE + ".beat.7", "2026-03-27T09:59:00Z");

    assertThatThrownBy(() -> take(store, false))
        .isInstanceOf(LockedException.class)
        .hasMessageContaining("ann on far")
        .hasMessageContaining("since 2026-03-27T09:00:00Z")
        .hasMessageContaining("last heartbeat 2026-03-27T09:59:00Z")
        .hasMessageContaining("--take-over");
    assertThat(store.list(place())).hasSize(2);
    try (OperatorLock lock = take(store, true)) {
      lock.check();
      assertThat(store.list(place())).hasSize(1);
    }
    assertThat(store.stat(place())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "memory"})
  void whoeverWasTakenOverNotices(String kind) throws IOException {
    Store store = store(kind);
    try (OperatorLock first = take(store, false)) {
      try (OperatorLock second = take(store, true)) {
        assertThatThrownBy(first::check).isInstanceOf(LockedException.class);
        second.check();
      }
      assertThatThrownBy(first::check).hasMessageContaining("has ended since");
    }
    assertThat(store.stat(place())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "memory"})
  void aDeadProcessOfThisMachineHoldsNothing(String kind) throws IOException {
    Store store = store(kind);
    ProcessIdentity here = ProcessIdentity.current();
    String gone = here.machineTag() + "-" + here.pid() + "-" + (here.start() + 1) + "-000000000000";
    write(store, gone + ".claim.json", "{\"us");

    assertThat(OperatorLock.holder(store, place()).orElseThrow().dead()).isTrue();
    take(store, false).close();

    assertThat(store.stat(place())).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"local", "memory"})
  void aCrashAtAnyCallLeavesNothingThatStopsTheNext(String kind) throws IOException {
    Store store = store(kind);
    FaultStore counting = FaultStore.counting(store);
    take(counting, false).close();
    for (int call = 1; call <= counting.calls(); call++) {
      for (FaultStore.Fault fault : List.of(FaultStore.Fault.values())) {
        try {
          take(FaultStore.crashingAt(call, fault, store), false).close();
        } catch (IOException crashed) {
          // The next one has to go on.
        }
        take(store, false).close();
        assertThat(store.stat(place())).as("%s at call %s", fault, call).isEmpty();
      }
    }
  }

  private OperatorLock take(Store store, boolean takeOver) throws IOException {
    return OperatorLock.take(store, place(), CLOCK, "p", takeOver);
  }

  private void write(Store store, String name, String text) throws IOException {
    store.write(
        place().child(name), Content.of(text.getBytes(StandardCharsets.UTF_8)), Optional.empty());
  }

  private Location place() {
    return Location.of(directory).child("lock");
  }

  private static Store store(String kind) {
    return kind.equals("local") ? new LocalStore() : new MemoryObjectStore();
  }
}
