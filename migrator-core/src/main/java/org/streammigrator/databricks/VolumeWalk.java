package org.streammigrator.databricks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Everything below a directory of a volume. The Files API lists one directory a request, so that
 * several are asked for at once: half of the ten that it takes, as Databricks' own command line
 * does.
 */
final class VolumeWalk {
  private static final int REQUESTS = 5;

  private final Store store;

  VolumeWalk(Store store) {
    this.store = store;
  }

  /** The entries, in no order. */
  List<StoreEntry> of(Location directory) throws IOException {
    List<StoreEntry> all = new ArrayList<>(store.list(directory));
    List<StoreEntry> level = all.stream().filter(StoreEntry::isDirectory).toList();
    if (level.isEmpty()) {
      return all;
    }
    ExecutorService threads =
        Executors.newFixedThreadPool(
            REQUESTS,
            task -> {
              Thread thread = new Thread(task, "volume-walk");
              thread.setDaemon(true);
              return thread;
            });
    try {
      while (!level.isEmpty()) {
        List<StoreEntry> below = lists(threads, level);
        all.addAll(below);
        level = below.stream().filter(StoreEntry::isDirectory).toList();
      }
      return all;
    } finally {
      threads.shutdownNow();
    }
  }

  private List<StoreEntry> lists(ExecutorService threads, List<StoreEntry> directories)
      throws IOException {
    List<Future<List<StoreEntry>>> asked = new ArrayList<>();
    for (StoreEntry directory : directories) {
      asked.add(threads.submit(() -> store.list(directory.location())));
    }
    List<StoreEntry> entries = new ArrayList<>();
    for (Future<List<StoreEntry>> listing : asked) {
      try {
        entries.addAll(listing.get());
      } catch (ExecutionException failed) {
        if (failed.getCause() instanceof IOException known) {
          throw known;
        }
        throw new IllegalStateException(failed.getCause());
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while listing", interrupted);
      }
    }
    return entries;
  }
}
