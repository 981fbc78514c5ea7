package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.plan.RehearsePlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** The new query, started from a scratch checkpoint, and watched by what it commits there. */
public final class RehearsedQuery {
  /** How long a query has to end once it is asked to. */
  static final Duration GRACE = Duration.ofSeconds(10);

  private static final long PAUSE_MS = 100;
  private static final long REMOTE_PAUSE_MS = 2000;

  /** What a process ends with that a terminal interrupted, or that was ended (128 + signal). */
  private static final List<Integer> BY_SIGNAL = List.of(130, 143);

  private final Store store;
  private final Location checkpoint;
  private final RehearsePlan how;
  private final QueryProcess process;
  private final Set<Long> committed = new HashSet<>();
  private volatile boolean isInterrupted;

  private RehearsedQuery(Store store, Location checkpoint, RehearsePlan how, QueryProcess process) {
    this.store = store;
    this.checkpoint = checkpoint;
    this.how = how;
    this.process = process;
  }

  /** Why it is over. */
  enum Why {
    AFTER_BATCHES("after-batches"),
    BY_ITSELF("by-itself"),
    OUT_OF_TIME("out-of-time");

    private final String label;

    Why(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }

  /**
   * How it ended.
   *
   * @param exit the exit code; empty if it could not be ended
   * @param isKilled whether it had to be killed
   * @param isBySelf whether it ended before it was asked to
   * @param batches how many batches it committed
   * @param first the plan of the first of them; empty if there is none
   * @param lines what it printed last
   */
  record Ended(
      Why why,
      OptionalInt exit,
      boolean isBySelf,
      boolean isKilled,
      long batches,
      Optional<OffsetLog> first,
      List<String> lines) {}

  /**
   * Starts the query.
   *
   * @param directory where its command runs
   * @param environment what it is told
   * @throws IOException if it cannot be started
   */
  public static RehearsedQuery start(
      Store store,
      Location checkpoint,
      RehearsePlan how,
      Path directory,
      Map<String, String> environment)
      throws IOException {
    return new RehearsedQuery(
        requireNonNull(store, "store"),
        requireNonNull(checkpoint, "checkpoint"),
        how,
        QueryProcess.start(how.command(), directory, environment));
  }

  /**
   * Waits until it has committed its batches, has ended, or is out of time; then ends it.
   *
   * @param first the first batch that it has to run
   * @throws IOException if the checkpoint cannot be looked at; the query is ended then, too
   */
  Ended await(long first) throws IOException, InterruptedException {
    Optional<OffsetLog> plan = Optional.empty();
    try {
      long until = System.nanoTime() + how.timeout().toNanos();
      while (true) {
        // Asked before the log is, so that what it commits last is seen.
        boolean isAlive = process.isAlive();
        look(first);
        if (!committed.isEmpty() && plan.isEmpty()) {
          plan = new CheckpointReader(store).offsets(checkpoint, first).readable();
        }
        if (committed.size() >= how.batches()) {
          return ended(Why.AFTER_BATCHES, first, plan);
        } else if (!isAlive) {
          return ended(Why.BY_ITSELF, first, plan);
        } else if (System.nanoTime() - until >= 0) {
          return ended(Why.OUT_OF_TIME, first, plan);
        }
        Thread.sleep(checkpoint.isLocal() ? PAUSE_MS : REMOTE_PAUSE_MS);
      }
    } finally {
      process.end(GRACE);
    }
  }

  private Ended ended(Why why, long first, Optional<OffsetLog> plan)
      throws IOException, InterruptedException {
    OptionalInt exit = process.exit();
    boolean isKilled = process.end(GRACE);
    if (exit.isPresent() && BY_SIGNAL.contains(exit.getAsInt())) {
      // A terminal interrupts both: whoever is interrupted says so, and not that the query failed.
      Thread.sleep(5 * PAUSE_MS);
    }
    while (isInterrupted) {
      Thread.sleep(PAUSE_MS);
    }
    look(first);
    return new Ended(
        why,
        exit.isPresent() ? exit : process.exit(),
        exit.isPresent(),
        isKilled,
        committed.size(),
        plan,
        process.lines());
  }

  /** Notes which of the batches from one on are committed; those that were stay so. */
  private void look(long first) throws IOException {
    try {
      store.list(checkpoint.child("commits")).stream()
          .filter(StoreEntry::isFile)
          .map(entry -> entry.location().name())
          .filter(name -> name.matches("[0-9]{1,18}"))
          .map(Long::parseLong)
          .filter(batch -> batch >= first)
          .forEach(committed::add);
    } catch (NoSuchFileException none) {
      // No batch is committed yet.
    }
  }

  /** Ends it, since this process is ended; {@link #await} does not come back then. */
  public void interrupt() {
    isInterrupted = true;
    try {
      process.end(GRACE);
    } catch (InterruptedException again) {
      Thread.currentThread().interrupt();
    }
  }
}
