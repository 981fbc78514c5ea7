package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that fails at call k in the way that was asked for. If its process dies there, every
 * later call and every read from a stream that is still open fails, too.
 */
public final class FaultStore implements Store {

  /** How call k fails. */
  public enum Fault {
    /** Nothing of the call happens. */
    BEFORE,
    /** All of the call happens, and the caller does not learn of it. */
    AFTER,
    /** Half of the bytes of a write arrive; any other call fails as {@link #BEFORE}. */
    TORN,
    /** A write happens, and says that the file exists; any other call fails as {@link #AFTER}. */
    DUPLICATE
  }

  /** The process died. */
  public static final class Crash extends IOException {
    Crash(int call) {
      super("crash at store call " + call);
    }
  }

  private interface Call<T> {
    T run() throws IOException;
  }

  private final Store store;
  private final int crashAt;
  private final Fault fault;
  private final AtomicInteger calls = new AtomicInteger();
  private final List<Integer> writes = new CopyOnWriteArrayList<>();
  private final boolean lives;
  private volatile boolean dead;

  private FaultStore(Store store, int crashAt, Fault fault, boolean lives) {
    this.lives = lives;
    this.store = requireNonNull(store, "store");
    this.crashAt = crashAt;
    this.fault = requireNonNull(fault, "fault");
  }

  /** Counts calls and never fails. */
  public static FaultStore counting(Store store) {
    return new FaultStore(store, Integer.MAX_VALUE, Fault.BEFORE, false);
  }

  /** Crashes at the given call; the first call is 1. */
  public static FaultStore crashingAt(int call, Fault fault, Store store) {
    return new FaultStore(store, call, fault, false);
  }

  /** Fails at the given call alone, as when a network does; the first call is 1. */
  public static FaultStore failingOnceAt(int call, Fault fault, Store store) {
    return new FaultStore(store, call, fault, true);
  }

  /** The number of calls so far, with the one that failed and without those after it. */
  public int calls() {
    return calls.get();
  }

  /** Which of the calls so far were writes of a file. */
  public List<Integer> writes() {
    return List.copyOf(writes);
  }

  /** Whether the crash happened. */
  public boolean crashed() {
    return dead;
  }

  @Override
  public StoreTraits traits(Location location) throws IOException {
    return store.traits(location);
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return call(() -> store.list(directory));
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return call(() -> store.walk(directory));
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return call(() -> store.stat(location));
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return call(
        () ->
            new FilterInputStream(store.open(file)) {
              @Override
              public int read() throws IOException {
                checkAlive();
                return in.read();
              }

              @Override
              public int read(byte[] buffer, int offset, int length) throws IOException {
                checkAlive();
                return in.read(buffer, offset, length);
              }
            });
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    checkAlive();
    int call = calls.incrementAndGet();
    writes.add(call);
    if (call != crashAt) {
      return store.write(file, content, modified);
    }
    // What the content reads from this store meanwhile is read before the crash.
    try {
      switch (fault) {
        case BEFORE -> {}
        case AFTER, DUPLICATE -> store.write(file, content, modified);
        case TORN -> {
          ByteArrayOutputStream bytes = new ByteArrayOutputStream();
          content.writeTo(bytes);
          store.write(
              file, out -> out.write(bytes.toByteArray(), 0, bytes.size() / 2), Optional.empty());
        }
      }
    } catch (IOException failed) {
      // The caller does not learn of this either.
    }
    if (fault == Fault.DUPLICATE) {
      dead = !lives;
      throw new FileAlreadyExistsException(file.toString());
    }
    throw crash();
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    call(
        () -> {
          store.createDirectory(directory);
          return null;
        });
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    call(
        () -> {
          store.publish(staged, target);
          return null;
        });
  }

  @Override
  public void delete(Location location) throws IOException {
    call(
        () -> {
          store.delete(location);
          return null;
        });
  }

  private <T> T call(Call<T> body) throws IOException {
    checkAlive();
    if (calls.incrementAndGet() != crashAt) {
      return body.run();
    }
    try {
      if (fault == Fault.AFTER || fault == Fault.DUPLICATE) {
        body.run();
      }
    } catch (IOException failed) {
      // The caller does not learn of this either.
    }
    throw crash();
  }

  private Crash crash() {
    dead = !lives;
    return new Crash(crashAt);
  }

  private void checkAlive() throws IOException {
    if (dead) {
      throw new Crash(crashAt);
    }
  }
}
