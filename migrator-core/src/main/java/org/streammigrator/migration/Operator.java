package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.time.Clock;
import org.streammigrator.copy.Manifests;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Whoever carries a plan out: holds the plan's lock, and takes those of its targets. */
public final class Operator implements Closeable {
  private final Store store;
  private final Clock clock;
  private final String plan;
  private final boolean takeOver;
  private final Location journal;
  private final OperatorLock lock;

  private Operator(
      Store store,
      Clock clock,
      String plan,
      boolean takeOver,
      Location journal,
      OperatorLock lock) {
    this.store = store;
    this.clock = clock;
    this.plan = plan;
    this.takeOver = takeOver;
    this.journal = journal;
    this.lock = lock;
  }

  /**
   * Begins to work on a plan.
   *
   * @param takeOver whether whoever works on it now, or on its targets, is put out
   * @throws LockedException if another operator works on it
   */
  public static Operator begin(
      Store store, Location journal, Clock clock, String plan, boolean takeOver)
      throws IOException {
    requireNonNull(store, "store");
    OperatorLock lock = OperatorLock.take(store, journal.child("lock"), clock, plan, takeOver);
    return new Operator(store, clock, plan, takeOver, journal, lock);
  }

  /** Where operators say that they are at work on a target, whatever their plan. */
  public static Location lockOf(Location target) {
    return Manifests.beside(target, "migrator-lock");
  }

  /** Takes the lock of a target; the directories that it made go with it if they stay empty. */
  OperatorLock lockTarget(Location target) throws IOException {
    return OperatorLock.take(store, lockOf(target), clock, plan, takeOver);
  }

  /** Removes what ended processes left at a target that nothing is to be done to. */
  void tidyTarget(Location target) throws IOException {
    OperatorLock.tidy(store, lockOf(target));
  }

  /**
   * Makes sure that this is still the operator of the plan.
   *
   * @throws LockedException if another one took over
   */
  void check() throws IOException {
    lock.check();
  }

  /** Ends the work; a journal in which nothing was written goes. */
  @Override
  public void close() throws IOException {
    lock.close();
    if (store.traits(journal).publishes()) {
      try {
        store.delete(journal);
      } catch (DirectoryNotEmptyException written) {
        // It is a journal.
      }
    }
  }
}
