package org.streammigrator.migration;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryStore;
import org.streammigrator.storage.Store;

/** Everything that commands see and change, which can be set back to what it was. */
interface World {

  /** What it was at a moment. */
  interface Mark {
    void restore() throws IOException;
  }

  Store store();

  /** Every file, by its location's text, with its time, a blank, and what tells its bytes. */
  Map<String, String> files() throws IOException;

  Mark mark() throws IOException;

  /** A world in memory. */
  static World of(MemoryStore store) {
    return new World() {
      @Override
      public Store store() {
        return store;
      }

      @Override
      public Map<String, String> files() {
        return store.files();
      }

      @Override
      public Mark mark() {
        MemoryStore.Snapshot snapshot = store.snapshot();
        return () -> store.restore(snapshot);
      }
    };
  }

  /** A directory of the local disk. */
  static World of(Path root) {
    return new World() {
      @Override
      public Store store() {
        return new LocalStore();
      }

      @Override
      public Map<String, String> files() throws IOException {
        Map<String, String> files = new TreeMap<>();
        Trees.bytesAndTimes(root)
            .forEach((path, file) -> files.put(Location.of(root.resolve(path)).toString(), file));
        return files;
      }

      @Override
      public Mark mark() throws IOException {
        Map<String, String> then = Trees.bytesAndTimes(root);
        return () -> restore(root, then);
      }
    };
  }

  private static void restore(Path root, Map<String, String> then) throws IOException {
    Map<String, String> now = Trees.bytesAndTimes(root);
    try (Stream<Path> paths = Files.walk(root)) {
      for (Path path : paths.sorted((a, b) -> b.compareTo(a)).toList()) {
        String name = root.relativize(path).toString();
        boolean wanted =
            name.isEmpty()
                || then.containsKey(name)
                || then.keySet().stream().anyMatch(file -> file.startsWith(name + "/"));
        if (!wanted) {
          Files.delete(path);
        }
      }
    }
    for (Map.Entry<String, String> file : then.entrySet()) {
      if (!file.getValue().equals(now.get(file.getKey()))) {
        Path path = root.resolve(file.getKey());
        Files.createDirectories(path.getParent());
        String[] timeAndBytes = file.getValue().split(" ", -1);
        Files.write(path, HexFormat.of().parseHex(timeAndBytes[1]));
        Files.setLastModifiedTime(path, FileTime.from(Instant.parse(timeAndBytes[0])));
      }
    }
  }
}
