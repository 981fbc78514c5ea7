package org.streammigrator.databricks;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What lies in a volume, in memory. Callers hold its monitor. */
final class VolumeTree {
  private final String root;
  private final NavigableMap<String, Entry> entries = new TreeMap<>();
  private long clock = Instant.parse("2026-01-02T03:04:05Z").toEpochMilli();

  /** A file, or a directory where {@code bytes} is null. */
  record Entry(byte[] bytes, long modified) {}

  VolumeTree(String root) {
    this.root = root;
    entries.put(root, new Entry(null, clock));
  }

  Entry get(String path) {
    return entries.get(path);
  }

  void remove(String path) {
    entries.remove(path);
  }

  /** Puts a file with the directories above it; each is younger than the one before. */
  void put(String path, byte[] bytes) {
    makeDirectories(path.substring(0, path.lastIndexOf('/')));
    clock += 1001;
    entries.put(path, new Entry(bytes, clock));
  }

  List<String> children(String directory) {
    List<String> children = new ArrayList<>();
    for (String path : entries.tailMap(directory + "/").keySet()) {
      if (!path.startsWith(directory + "/")) {
        break;
      }
      if (path.indexOf('/', directory.length() + 1) < 0) {
        children.add(path);
      }
    }
    return children;
  }

  boolean isBelowAFile(String path) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      Entry above = entries.get(path.substring(0, slash));
      if (above != null && above.bytes() != null) {
        return true;
      }
    }
    return false;
  }

  void makeDirectories(String path) {
    for (String at = path; at.length() > root.length(); at = at.substring(0, at.lastIndexOf('/'))) {
      entries.putIfAbsent(at, new Entry(null, clock));
    }
  }
}
