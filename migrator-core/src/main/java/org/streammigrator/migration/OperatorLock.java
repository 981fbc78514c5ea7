package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Lets one operator at a time write at a place, on any store whose listings are consistent.
 *
 * <p>An operator writes a claim of its own ({@code <name>.claim.json}) into the lock's directory
 * and only then looks: if it is alone there it holds the lock, and every later one sees it. If not,
 * it takes its claim back, so that of two at the same moment both may give way, wait for a moment
 * that is not the same, and try again; never do both hold it. No store has to create exclusively
 * for that.
 *
 * <p>Every 30 seconds a numbered file {@code <name>.beat.<n>} says that the holder is alive. A
 * claim of a process of this machine that has ended is removed; any other stands until it is taken
 * back or taken over. Whoever was taken over finds the claim gone at its next {@link #check}.
 */
public final class OperatorLock implements Closeable {
  private static final String CLAIM = ".claim.json";
  private static final String BEAT = ".beat.";
  private static final int ATTEMPTS = 5;
  private static final long BEAT_MS = 30_000;

  private final Store store;
  private final Location directory;
  private final Clock clock;
  private final Claim claim;
  private final Thread heart;
  private long beats;
  private boolean closed;

  private OperatorLock(Store store, Location directory, Clock clock, Claim claim) {
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.claim = claim;
    this.heart = new Thread(this::beat, "migrator-heartbeat");
    heart.setDaemon(true);
  }

  /**
   * Who holds a lock.
   *
   * @param holder who, where and since when, in words
   * @param lastHeartbeat an ISO instant; null before the first
   * @param dead whether the process has surely ended, so that the next operator goes on
   */
  public record Holder(String holder, String lastHeartbeat, boolean dead) {
    /** The whole in words. */
    public String text() {
      return holder + (lastHeartbeat == null ? "" : ", last heartbeat " + lastHeartbeat);
    }
  }

  /**
   * Takes the lock.
   *
   * @param directory the lock's own directory; it goes when the lock does
   * @param plan for whom, shown to others
   * @param takeOver whether the claims of others are removed
   * @throws LockedException if another operator holds it
   */
  public static OperatorLock take(
      Store store, Location directory, Clock clock, String plan, boolean takeOver)
      throws IOException {
    requireNonNull(directory, "directory");
    for (int attempt = 1; ; attempt++) {
      clear(store, directory, takeOver && attempt == 1);
      List<Claim> others = claims(store, directory);
      if (others.isEmpty()) {
        Claim claim = Claim.ofThisProcess(plan, clock.instant());
        Claim.HELD.add(claim.name());
        OperatorLock lock = new OperatorLock(store, directory, clock, claim);
        boolean alone = false;
        try {
          write(store, directory.child(claim.name() + CLAIM), claim.toJson());
          List<Claim> now = claims(store, directory);
          alone = now.size() == 1 && now.get(0).name().equals(claim.name());
          if (alone) {
            lock.heart.start();
            return lock;
          }
        } finally {
          if (!alone) {
            lock.close();
          }
        }
      }
      if (attempt == ATTEMPTS || !others.isEmpty()) {
        throw new LockedException(heldText(store, directory));
      }
      pause(attempt);
    }
  }

  /** Removes what ended processes of this machine left behind. */
  static void tidy(Store store, Location directory) throws IOException {
    if (!files(store, directory).isEmpty()) {
      clear(store, directory, false);
      removeIfEmpty(store, directory);
    }
  }

  /** Who holds a lock now; nothing is written. */
  public static Optional<Holder> holder(Store store, Location directory) throws IOException {
    List<Claim> claims = claims(store, directory);
    if (claims.isEmpty()) {
      return Optional.empty();
    }
    Claim first =
        claims.stream().filter(claim -> !claim.isDead()).findFirst().orElse(claims.get(0));
    return Optional.of(
        new Holder(first.holder(), lastBeat(store, directory, first), first.isDead()));
  }

  /**
   * Makes sure that the lock is still held.
   *
   * @throws LockedException if another operator took it over
   */
  public void check() throws IOException {
    if (store.stat(directory.child(claim.name() + CLAIM)).isEmpty()) {
      throw new LockedException(
          "another operator took over ("
              + holder(store, directory).map(Holder::text).orElse("and has ended since")
              + "); nothing more was written here");
    }
  }

  /** Gives the lock back; what cannot be removed is of an ended process then. */
  @Override
  public synchronized void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    heart.interrupt();
    Claim.HELD.remove(claim.name());
    remove(store, directory, claim.name());
    removeIfEmpty(store, directory);
  }

  private void beat() {
    try {
      while (true) {
        Thread.sleep(BEAT_MS);
        writeBeat();
      }
    } catch (InterruptedException end) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void writeBeat() {
    if (closed) {
      return;
    }
    try {
      check();
      long now = ++beats;
      write(
          store,
          directory.child(claim.name() + BEAT + now),
          clock.instant().toString().getBytes(StandardCharsets.UTF_8));
      if (now > 1) {
        store.delete(directory.child(claim.name() + BEAT + (now - 1)));
      }
    } catch (IOException failed) {
      // A missed heartbeat says itself; whoever was taken over hears of it at the next check.
    }
  }

  private static String heldText(Store store, Location directory) throws IOException {
    return "another operator is at work here: "
        + holder(store, directory).map(Holder::text).orElse("two came at the same moment")
        + "; wait for it to end (its claim is in "
        + directory
        + "). If it surely has ended, run this again with --take-over";
  }

  private static void pause(int attempt) throws IOException {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(20, 200L * attempt));
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new LockedException("interrupted while waiting for the lock");
    }
  }

  private static void clear(Store store, Location directory, boolean all) throws IOException {
    for (Claim claim : claims(store, directory)) {
      if (all || claim.isDead()) {
        remove(store, directory, claim.name());
      }
    }
  }

  /** The claim goes last, so that a crash in between leaves a claim that is cleared again. */
  private static void remove(Store store, Location directory, String name) throws IOException {
    for (StoreEntry file : files(store, directory)) {
      if (file.location().name().startsWith(name + BEAT)) {
        store.delete(file.location());
      }
    }
    store.delete(directory.child(name + CLAIM));
  }

  private static void removeIfEmpty(Store store, Location directory) throws IOException {
    try {
      store.delete(directory);
    } catch (java.nio.file.DirectoryNotEmptyException another) {
      // Another operator has come.
    }
  }

  private static List<Claim> claims(Store store, Location directory) throws IOException {
    List<Claim> claims = new ArrayList<>();
    for (StoreEntry file : files(store, directory)) {
      String name = file.location().name();
      if (name.endsWith(CLAIM) && Claim.isName(name.substring(0, name.length() - CLAIM.length()))) {
        String claim = name.substring(0, name.length() - CLAIM.length());
        try {
          claims.add(Claim.read(claim, store.readAll(file.location())));
        } catch (NoSuchFileException takenBack) {
          // It went while the directory was read.
        }
      }
    }
    return claims;
  }

  private static String lastBeat(Store store, Location directory, Claim claim) throws IOException {
    String last = null;
    long newest = 0;
    for (StoreEntry file : files(store, directory)) {
      String name = file.location().name();
      if (name.matches(java.util.regex.Pattern.quote(claim.name() + BEAT) + "[0-9]{1,18}")) {
        long number = Long.parseLong(name.substring(name.lastIndexOf('.') + 1));
        if (number > newest) {
          newest = number;
          try {
            last = new String(store.readAll(file.location()), StandardCharsets.UTF_8);
          } catch (NoSuchFileException beatenSince) {
            // The next one is being written.
          }
        }
      }
    }
    return last;
  }

  private static List<StoreEntry> files(Store store, Location directory) throws IOException {
    try {
      return store.list(directory);
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }

  private static void write(Store store, Location file, byte[] bytes) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        store.write(file, Content.of(bytes), Optional.empty());
        return;
      } catch (FileAlreadyExistsException ours) {
        // The name is drawn anew each time: it was this write.
        return;
      } catch (NoSuchFileException directoryGone) {
        // Another operator ended in between and removed the empty directory.
        if (attempt == ATTEMPTS) {
          throw directoryGone;
        }
      }
    }
  }
}
