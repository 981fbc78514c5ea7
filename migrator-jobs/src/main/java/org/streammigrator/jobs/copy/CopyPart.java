package org.streammigrator.jobs.copy;

import java.io.Serializable;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.copy.CopySource;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/**
 * The files that one task copies, as columns: a million of them go through the driver, and each
 * object on the way would cost more than what it holds.
 */
final class CopyPart implements Serializable {
  private static final long serialVersionUID = 1;

  private final String source;
  private final String place;
  private final String[] paths;
  private final String[] from;
  private final Entries files;
  private final Entries there;

  /** Size, time and tag of files; a size below 0 stands for no file. */
  private static final class Entries implements Serializable {
    private static final long serialVersionUID = 1;

    private final long[] sizes;
    private final long[] seconds;
    private final int[] nanos;
    private final String[] tags;

    private Entries(int count) {
      sizes = new long[count];
      seconds = new long[count];
      nanos = new int[count];
      tags = new String[count];
    }

    private void set(int index, StoreEntry entry) {
      sizes[index] = entry == null ? -1 : entry.size();
      seconds[index] = entry == null ? 0 : entry.modified().getEpochSecond();
      nanos[index] = entry == null ? 0 : entry.modified().getNano();
      tags[index] = entry == null ? null : entry.tag().orElse(null);
    }

    private StoreEntry get(int index, Location location) {
      return new StoreEntry(
          location,
          StoreEntry.Kind.FILE,
          sizes[index],
          Instant.ofEpochSecond(seconds[index], nanos[index]),
          Optional.ofNullable(tags[index]));
    }
  }

  /**
   * A part of a copy.
   *
   * @param source the directory from which all files come
   * @param place the directory that is filled
   * @param found what is at the target, by path
   */
  CopyPart(
      Location source, Location place, List<CopySource> sources, Map<String, StoreEntry> found) {
    this.source = source.toString();
    this.place = place.toString();
    int count = sources.size();
    paths = new String[count];
    from = new String[count];
    files = new Entries(count);
    there = new Entries(count);
    for (int i = 0; i < count; i++) {
      CopySource file = sources.get(i);
      StoreEntry stored = file.stored().orElseThrow();
      paths[i] = file.path();
      String relative = stored.location().relativeTo(source);
      from[i] = relative.equals(paths[i]) ? null : relative;
      files.set(i, stored);
      there.set(i, found.get(file.path()));
    }
  }

  int size() {
    return paths.length;
  }

  Location place() {
    return location(place);
  }

  String path(int index) {
    return paths[index];
  }

  /** The file as the driver listed it. */
  StoreEntry source(int index) {
    String relative = from[index] == null ? paths[index] : from[index];
    return files.get(index, location(source).child(relative));
  }

  /** What the driver found at the target. */
  Map<String, StoreEntry> there() {
    Map<String, StoreEntry> found = new HashMap<>();
    Location target = place();
    for (int i = 0; i < paths.length; i++) {
      if (there.sizes[i] >= 0) {
        found.put(paths[i], there.get(i, target.child(paths[i])));
      }
    }
    return found;
  }

  private static Location location(String text) {
    return Location.parse(text, java.nio.file.Path.of("/"));
  }
}
