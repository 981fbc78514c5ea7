package org.streammigrator.authoring;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.copy.Trees;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** The files at a target or its staging place, by their paths. */
final class TargetFiles {
  private TargetFiles() {}

  /** All that is there. */
  static Map<String, StoreEntry> of(Store store, Location place) throws IOException {
    Map<String, StoreEntry> files = new HashMap<>();
    try {
      for (StoreEntry entry : store.walk(place)) {
        if (!entry.isDirectory()) {
          files.put(entry.location().relativeTo(place), entry);
        }
      }
    } catch (NoSuchFileException none) {
      return files;
    }
    return files;
  }

  /** What is staged and wanted, after what is not wanted is gone. */
  static Map<String, StoreEntry> keepWanted(
      Store store, Location staging, List<TargetSource> sources) throws IOException {
    List<StoreEntry> staged = Trees.walk(store, staging);
    if (staged.isEmpty()) {
      return Map.of();
    }
    Set<String> wanted = new HashSet<>();
    Set<String> above = new HashSet<>();
    for (TargetSource source : sources) {
      String path = source.path();
      wanted.add(path);
      for (int end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
        above.add(path.substring(0, end));
      }
    }
    Map<String, StoreEntry> there = new HashMap<>();
    for (int i = staged.size() - 1; i >= 0; i--) {
      StoreEntry entry = staged.get(i);
      String path = entry.location().relativeTo(staging);
      if (wanted.contains(path)) {
        there.put(path, entry);
      } else if (!(entry.isDirectory() && above.contains(path))) {
        store.delete(entry.location());
      }
    }
    return there;
  }

  /** What is at a target, all of which an owner must have intended. */
  static Map<String, StoreEntry> owned(
      Store store, Location target, WriteIntent intent, String owner) throws IOException {
    Optional<String> other = intent.otherThan(owner);
    if (other.isPresent()) {
      throw new FileAlreadyExistsException(
          target.toString(),
          null,
          "another plan, with its journal at " + other.get() + ", has begun to write there");
    }
    Map<String, StoreEntry> there = of(store, target);
    for (String path : there.keySet()) {
      if (!intent.names(path)) {
        throw new FileAlreadyExistsException(
            target.child(path).toString(), null, "it was there before, and is never touched");
      }
    }
    return there;
  }
}
