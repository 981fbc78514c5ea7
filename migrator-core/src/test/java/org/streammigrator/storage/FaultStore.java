package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** A store that fails at call k in the way that was asked for. */
public final class FaultStore implements Store {

  /** How call k fails. */
  public enum Fault {
    /** Nothing of the call happens. */
    BEFORE,
    /** All of the call happens, and the caller does not learn of it. */
    AFTER,
    /** Half of the bytes of a write arrive; any other call fails as {@link #BEFORE}. */
    TORN,
    /**
     * A call that happened is tried again by the store: a write says that the file exists, a move
     * that there is nothing to move; any other call fails as {@link #AFTER}.
     */
    DUPLICATE
  }

  /** What becomes of the calls after call k. */
  private enum Then {
    /** The process died: all of them fail, and so does reading from what is open. */
    DEAD,
    /** It was that call alone. */
    WELL,
    /** The store is gone: all of them fail, and the process goes on. */
    GONE,
    /** The disk is full: all that take room fail, and the process goes on. */
    FULL,
    /** Nothing failed: the call took long. */
    LATE
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
  private final int failAt;
  private final Fault fault;
  private final Then then;
  private final AtomicInteger calls = new AtomicInteger();
  private final List<Integer> writes = new CopyOnWriteArrayList<>();
  private volatile boolean failed;

  private FaultStore(Store store, int failAt, Fault fault, Then then) {
    this.store = requireNonNull(store, "store");
    this.failAt = failAt;
    this.fault = requireNonNull(fault, "fault");
    this.then = then;
  }

  /** Counts calls and never fails. */
  public static FaultStore counting(Store store) {
    return new FaultStore(store, Integer.MAX_VALUE, Fault.BEFORE, Then.WELL);
  }

  /** The process dies at the given call; the first call is 1. */
  public static FaultStore crashingAt(int call, Fault fault, Store store) {
    return new FaultStore(store, call, fault, Then.DEAD);
  }

  /** Fails at the given call alone, as when a network does; the first call is 1. */
  public static FaultStore failingOnceAt(int call, Fault fault, Store store) {
    return new FaultStore(store, call, fault, Then.WELL);
  }

  /** Fails from the given call on, in a process that lives; the first call is 1. */
  public static FaultStore failingFrom(int call, Store store) {
    return new FaultStore(store, call, Fault.BEFORE, Then.GONE);
  }

  /** Has no room for a file or directory from the given call on; the first call is 1. */
  public static FaultStore fullFrom(int call, Store store) {
    return new FaultStore(store, call, Fault.TORN, Then.FULL);
  }

  /** Takes long over the given call, and nothing else; the first call is 1. */
  public static FaultStore lateAt(int call, Store store) {
    return new FaultStore(store, call, Fault.BEFORE, Then.LATE);
  }

  /** The number of calls so far; after a crash, without those that followed. */
  public int calls() {
    return calls.get();
  }

  /** Which of the calls so far were to write or copy a file. */
  public List<Integer> writes() {
    return List.copyOf(writes);
  }

  /** Whether it came to the call that fails. */
  public boolean crashed() {
    return failed;
  }

  @Override
  public StoreTraits traits(Location location) throws IOException {
    return store.traits(location);
  }

  @Override
  public boolean isLink(Location location) throws IOException {
    return store.isLink(location);
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return call(directory, () -> store.list(directory));
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return call(directory, () -> store.walk(directory));
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return call(location, () -> store.stat(location));
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return call(
        file,
        () ->
            new FilterInputStream(store.open(file)) {
              @Override
              public int read() throws IOException {
                checkAlive(file);
                return in.read();
              }

              @Override
              public int read(byte[] buffer, int offset, int length) throws IOException {
                checkAlive(file);
                return in.read(buffer, offset, length);
              }
            });
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    if (!failsNow(file, true)) {
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
          if (!store.traits(file).wholeOrNothing()) {
            int half = bytes.size() / 2;
            store.write(file, out -> out.write(bytes.toByteArray(), 0, half), Optional.empty());
          }
        }
      }
    } catch (IOException lost) {
      // The caller does not learn of this either.
    }
    throw fault == Fault.DUPLICATE
        ? fail(new FileAlreadyExistsException(file.toString()))
        : failure(file);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    if (!failsNow(to, true)) {
      return store.copyWithin(from, to, modified);
    }
    Optional<Receipt> receipt = Optional.empty();
    try {
      if (fault == Fault.AFTER || fault == Fault.DUPLICATE) {
        receipt = store.copyWithin(from, to, modified);
      }
    } catch (IOException lost) {
      // The caller does not learn of this either.
    }
    throw fault == Fault.DUPLICATE && receipt.isPresent()
        ? fail(new FileAlreadyExistsException(to.toString()))
        : failure(to);
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    if (then == Then.FULL && failed) {
      throw failure(directory);
    }
    call(
        directory,
        () -> {
          store.createDirectory(directory);
          return null;
        });
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    try {
      call(
          target,
          () -> {
            store.publish(staged, target);
            return null;
          });
    } catch (NoSuchFileException | FileAlreadyExistsException real) {
      throw real;
    } catch (IOException failure) {
      if (fault == Fault.DUPLICATE && then == Then.WELL && store.stat(staged).isEmpty()) {
        throw new NoSuchFileException(staged.toString());
      }
      throw failure;
    }
  }

  @Override
  public void delete(Location location) throws IOException {
    call(
        location,
        () -> {
          store.delete(location);
          return null;
        });
  }

  private <T> T call(Location place, Call<T> body) throws IOException {
    if (!failsNow(place, false)) {
      return body.run();
    }
    try {
      if (fault == Fault.AFTER || fault == Fault.DUPLICATE) {
        body.run();
      }
    } catch (IOException lost) {
      // The caller does not learn of this either.
    }
    throw failure(place);
  }

  /** Counts a call, and says whether it is one that fails. */
  private boolean failsNow(Location place, boolean takesRoom) throws IOException {
    checkAlive(place);
    int call = calls.incrementAndGet();
    if (takesRoom) {
      writes.add(call);
    }
    if (then == Then.FULL) {
      return takesRoom && call >= failAt;
    }
    if (call != failAt) {
      return false;
    }
    if (then == Then.LATE) {
      failed = true;
      sleep();
      return false;
    }
    return true;
  }

  private static void sleep() {
    try {
      Thread.sleep(20);
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private IOException failure(Location place) {
    return fail(
        switch (then) {
          case DEAD -> new Crash(failAt);
          case FULL -> new FileSystemException(place.toString(), null, "No space left on device");
          case GONE -> new FileSystemException(place.toString(), null, "Input/output error");
          case WELL, LATE -> new IOException(place + ": connection reset");
        });
  }

  private IOException fail(IOException failure) {
    failed = true;
    return failure;
  }

  private void checkAlive(Location place) throws IOException {
    if (failed && (then == Then.DEAD || then == Then.GONE)) {
      throw failure(place);
    }
  }
}
