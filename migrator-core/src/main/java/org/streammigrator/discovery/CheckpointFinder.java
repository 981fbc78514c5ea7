package org.streammigrator.discovery;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Pattern;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Finds every checkpoint below a directory.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>Every directory is looked into, hidden ones and those of partitions ({@code k=v}) too, but
 *       for {@code offsets}, {@code commits}, {@code sources} and {@code state} of a checkpoint, a
 *       {@code state} that a lost checkpoint left, and {@code _delta_log} and {@code
 *       _spark_metadata}.
 *   <li>Files that bear the names Spark gives its data files are not asked about one by one.
 *   <li>A symbolic link is followed unless it leads back into the root or to where another link was
 *       followed, or to a place around the root; so nothing is found twice, and the search ends.
 *   <li>A directory that cannot be listed is a finding, and the search goes on.
 *   <li>The result does not depend on the number of threads.
 * </ul>
 */
final class CheckpointFinder<T> {
  private static final Set<String> LOGS_OF_TABLES = Set.of("_delta_log", "_spark_metadata");

  /** {@code part-00000-<uuid>...}, and the hidden checksum beside it. */
  private static final Pattern DATA_FILE = Pattern.compile("\\.?part-[0-9]{5,}-.*\\..*");

  private final Store store;
  private final Location root;
  private final int threads;
  private final CheckpointSigns signs;
  private final Reader<T> reader;
  private final TreeMap<String, T> found = new TreeMap<>();
  private final TreeMap<String, Finding> findings = new TreeMap<>();
  private final List<Location> tables = new ArrayList<>();
  private long directories;

  CheckpointFinder(Store store, Location root, int threads, Reader<T> reader) {
    this.store = requireNonNull(store, "store");
    this.root = requireNonNull(root, "root");
    this.threads = threads;
    this.reader = requireNonNull(reader, "reader");
    this.signs = new CheckpointSigns(store);
  }

  /** Reads a checkpoint that was found; called by several threads. */
  @FunctionalInterface
  interface Reader<T> {
    /**
     * Reads it.
     *
     * @param entries what lies directly in it
     */
    T read(Location checkpoint, List<StoreEntry> entries) throws IOException;
  }

  /**
   * What one directory holds.
   *
   * @param checkpoint what was read, if it is a checkpoint
   * @param next the directories to look into
   * @param links the links among the directories
   * @param isTable whether it is a Delta table
   * @param failure why it could not be looked into, wholly or in part
   */
  private record Look<T>(
      Location directory,
      Optional<T> checkpoint,
      List<Location> next,
      List<Location> links,
      boolean isTable,
      Optional<IOException> failure) {}

  /**
   * Searches.
   *
   * @return what was read, by path
   * @throws NoSuchFileException if there is no root
   * @throws java.nio.file.NotDirectoryException if it is a file
   * @throws IOException if it cannot be listed
   */
  TreeMap<String, T> search() throws IOException {
    store.list(root, name -> false);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      followLinks(search(root, pool), pool);
    } finally {
      pool.shutdownNow();
    }
    return found;
  }

  /** What kept the search from looking everywhere. */
  List<Finding> findings() {
    return List.copyOf(findings.values());
  }

  /** The Delta tables that were met, in the order of their paths. */
  List<Location> tables() {
    return tables.stream().sorted(Comparator.comparing(Location::path)).toList();
  }

  /** How many directories were looked into. */
  long directories() {
    return directories;
  }

  /** Searches one tree, level by level, and returns the links that it met. */
  private List<Location> search(Location top, ExecutorService pool) throws IOException {
    List<Location> links = new ArrayList<>();
    List<Location> level = List.of(top);
    while (!level.isEmpty()) {
      List<Future<Look<T>>> looks = new ArrayList<>();
      for (Location directory : level) {
        looks.add(pool.submit(() -> look(directory)));
      }
      List<Location> next = new ArrayList<>();
      for (Future<Look<T>> future : looks) {
        Look<T> look = result(future);
        directories++;
        look.checkpoint().ifPresent(read -> found.put(look.directory().path(), read));
        if (look.isTable()) {
          tables.add(look.directory());
        }
        look.failure().ifPresent(failure -> unreadable(look.directory(), failure));
        next.addAll(look.next());
        links.addAll(look.links());
      }
      level = next;
    }
    return links;
  }

  private static <R> R result(Future<R> future) throws IOException {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException unexpected) {
        throw unexpected;
      }
      throw new IOException(failure.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("the search was interrupted", interrupted);
    }
  }

  private Look<T> look(Location directory) {
    Optional<T> checkpoint = Optional.empty();
    List<Location> next = new ArrayList<>();
    List<Location> links = new ArrayList<>();
    boolean isTable = false;
    try {
      List<StoreEntry> entries = store.list(directory, name -> !isDataFile(name));
      boolean orphanedState = directory.name().equals("state") && CheckpointSigns.isState(entries);
      if (orphanedState) {
        return new Look<>(directory, checkpoint, next, links, isTable, Optional.empty());
      }
      boolean isCheckpoint = signs.isCheckpoint(entries);
      for (StoreEntry entry : entries) {
        String name = entry.location().name();
        isTable |= entry.isDirectory() && name.equals("_delta_log");
        boolean own = isCheckpoint && CheckpointSigns.isOwn(name);
        if (entry.isDirectory() && !own && !LOGS_OF_TABLES.contains(name)) {
          (store.isLink(entry.location()) ? links : next).add(entry.location());
        }
      }
      if (isCheckpoint) {
        checkpoint = Optional.of(reader.read(directory, entries));
      }
      return new Look<>(directory, checkpoint, next, links, isTable, Optional.empty());
    } catch (NoSuchFileException goneMeanwhile) {
      return new Look<>(directory, checkpoint, next, links, isTable, Optional.empty());
    } catch (IOException failure) {
      return new Look<>(directory, checkpoint, next, links, isTable, Optional.of(failure));
    }
  }

  private static boolean isDataFile(String name) {
    return name.contains("part-") && DATA_FILE.matcher(name).matches();
  }

  private void followLinks(List<Location> first, ExecutorService pool) throws IOException {
    Location realRoot = RealPaths.resolve(root);
    List<Location> followed = new ArrayList<>(List.of(realRoot));
    List<Location> links = first;
    while (!links.isEmpty()) {
      List<Location> next = new ArrayList<>();
      for (Location link : links) {
        Location target = RealPaths.resolve(link);
        boolean known =
            followed.stream()
                .anyMatch(
                    there ->
                        target.equals(there) || target.isInside(there) || there.isInside(target));
        if (!known) {
          followed.add(target);
          next.addAll(search(link, pool));
        }
      }
      links = next;
    }
  }

  private void unreadable(Location directory, IOException failure) {
    String reason =
        failure instanceof AccessDeniedException
            ? "permission denied"
            : String.valueOf(failure.getMessage());
    findings.put(
        directory.path(),
        Finding.warning(
            FindingCode.UNREADABLE,
            directory.toString(),
            "the directory cannot be looked into (" + reason + "); checkpoints in it are not found",
            "give this user access and search again"));
  }
}
