package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * How a store is to be looked at: some files are not there, and others are that are made of what
 * is. Nothing is written for it.
 *
 * @param hidden the files that are not there
 * @param made the files that are made, by their place; a directory above each has to exist
 */
public record Overlay(Set<Location> hidden, Map<Location, Made> made) {

  public Overlay {
    hidden = Set.copyOf(hidden);
    made = Map.copyOf(made);
  }

  /** A view without some files. */
  public static Overlay hiding(Set<Location> hidden) {
    return new Overlay(hidden, Map.of());
  }

  /** Gives the bytes of a file that is made. */
  @FunctionalInterface
  public interface Bytes {
    /**
     * The bytes; the caller closes the stream.
     *
     * @param below the store as it is, without the overlay
     */
    InputStream open(Store below) throws IOException;
  }

  /**
   * A file that is made.
   *
   * @param entry what a listing says of it; its size is that of the bytes
   */
  public record Made(StoreEntry entry, Bytes bytes) {
    public Made {
      requireNonNull(entry, "entry");
      requireNonNull(bytes, "bytes");
    }
  }

  /** A store, looked at so. */
  public Store over(Store store) {
    return new Overlaid(store, this);
  }

  private static final class Overlaid extends ForwardingStore {
    private final Store below;
    private final Overlay overlay;

    private Overlaid(Store below, Overlay overlay) {
      super(below);
      this.below = below;
      this.overlay = overlay;
    }

    @Override
    public List<StoreEntry> walk(Location directory) throws IOException {
      return shown(
          super.walk(directory),
          place -> place.isInside(directory),
          Comparator.comparing(entry -> entry.location().path()));
    }

    @Override
    public List<StoreEntry> list(Location directory) throws IOException {
      return list(directory, name -> true);
    }

    @Override
    public List<StoreEntry> list(Location directory, Predicate<String> wanted) throws IOException {
      return shown(
          super.list(directory, wanted),
          place -> place.parent().equals(Optional.of(directory)) && wanted.test(place.name()),
          Comparator.comparing(entry -> entry.location().name()));
    }

    private List<StoreEntry> shown(
        List<StoreEntry> there, Predicate<Location> wanted, Comparator<StoreEntry> order) {
      List<StoreEntry> shown = new ArrayList<>(there.size() + overlay.made.size());
      for (StoreEntry entry : there) {
        if (!overlay.hidden.contains(entry.location())
            && !overlay.made.containsKey(entry.location())) {
          shown.add(entry);
        }
      }
      overlay.made.values().stream()
          .map(Made::entry)
          .filter(entry -> wanted.test(entry.location()))
          .forEach(shown::add);
      if (!overlay.made.isEmpty()) {
        shown.sort(order);
      }
      return List.copyOf(shown);
    }

    @Override
    public Optional<StoreEntry> stat(Location location) throws IOException {
      Made made = overlay.made.get(location);
      if (made != null) {
        return Optional.of(made.entry());
      }
      return overlay.hidden.contains(location) ? Optional.empty() : super.stat(location);
    }

    @Override
    public InputStream open(Location file) throws IOException {
      Made made = overlay.made.get(file);
      if (made != null) {
        return made.bytes().open(below);
      }
      if (overlay.hidden.contains(file)) {
        throw new NoSuchFileException(file.toString());
      }
      return super.open(file);
    }

    @Override
    public InputStream open(Location file, long offset) throws IOException {
      if (!overlay.made.containsKey(file)) {
        return overlay.hidden.contains(file) ? open(file) : super.open(file, offset);
      }
      InputStream in = open(file);
      in.skipNBytes(Math.min(offset, overlay.made.get(file).entry().size()));
      return in;
    }

    @Override
    public byte[] readAll(Location file) throws IOException {
      if (overlay.made.containsKey(file) || overlay.hidden.contains(file)) {
        try (InputStream in = open(file)) {
          return in.readAllBytes();
        }
      }
      return super.readAll(file);
    }
  }
}
