package org.streammigrator.discovery;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * One checkpoint as a store that shows only what a line about it takes: the directory itself, its
 * logs, and the sources' own directories without Auto Loader's files. So the one reader of
 * checkpoints reads it without walking its state. Reads only.
 */
final class ShallowStore extends ForwardingStore {
  /** As deep as {@code sources/<id>/shard-commit/<batch>/<shard>}, where Kinesis keeps progress. */
  private static final int SOURCES_DEPTH = 3;

  /** Auto Loader's list of files, which nobody but Databricks reads. */
  private static final String FILES_BY_KEY = "rocksdb";

  private final List<StoreEntry> seen = new ArrayList<>();
  private final List<StoreEntry> shown = new ArrayList<>();

  /**
   * A view.
   *
   * @param entries what lies directly in the checkpoint
   */
  ShallowStore(Store store, List<StoreEntry> entries) {
    super(new ReadOnlyStore(store));
    List<StoreEntry> offsets = new ArrayList<>();
    List<StoreEntry> commits = new ArrayList<>();
    for (StoreEntry entry : entries) {
      String name = entry.location().name();
      if (entry.isDirectory() && name.equals("offsets")) {
        shown.add(log(entry, offsets));
      } else if (entry.isDirectory() && name.equals("commits")) {
        shown.add(log(entry, commits));
      } else if (entry.isDirectory() && name.equals("sources")) {
        addTree(entry, SOURCES_DEPTH, shown);
      } else if (entry.isDirectory() && name.startsWith(CheckpointSigns.SCHEMA_LOG)) {
        addTree(entry, 0, shown);
      } else {
        shown.add(entry);
      }
    }
    seen.addAll(shown);
    seen.addAll(offsets);
    seen.addAll(commits);
    shown.addAll(PlainHistory.shown(offsets, commits));
    shown.sort(Comparator.comparing(entry -> entry.location().path()));
  }

  /**
   * Everything that was seen; {@link #walk} leaves out old batches about which nothing is to say.
   */
  List<StoreEntry> seen() {
    return seen;
  }

  @Override
  public List<StoreEntry> walk(Location directory) {
    return List.copyOf(shown);
  }

  /** Lists a log; one that cannot be listed is shown as a directory that nobody may read. */
  private StoreEntry log(StoreEntry directory, List<StoreEntry> entries) {
    try {
      entries.addAll(list(directory.location()));
      return directory;
    } catch (IOException unreadable) {
      return unreadable(directory);
    }
  }

  private static StoreEntry unreadable(StoreEntry directory) {
    return new StoreEntry(directory.location(), StoreEntry.Kind.OTHER, 0, directory.modified());
  }

  private void addTree(StoreEntry directory, int depth, List<StoreEntry> all) {
    List<StoreEntry> below = new ArrayList<>();
    all.add(log(directory, below));
    for (StoreEntry entry : below) {
      if (entry.isDirectory() && depth > 0 && !entry.location().name().equals(FILES_BY_KEY)) {
        addTree(entry, depth - 1, all);
      } else {
        all.add(entry);
      }
    }
  }
}
