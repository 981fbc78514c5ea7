package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The files of one state store of one partition. Names from Spark's {@code
 * HDFSBackedStateStoreProvider} ({@code v.delta}, {@code v.snapshot}) and {@code
 * RocksDBFileManager} ({@code v.zip}, {@code v.changelog}, {@code SSTs/}, {@code logs/}); in state
 * format 2 an id follows the version: {@code v_<uuid>.zip}. Spark puts the version into the name it
 * opens, so that {@code 007.delta} is nothing to it.
 *
 * @param operator the stateful operator's number
 * @param partition the partition's number
 * @param store the store's name, {@code default} where it has none
 * @param path the store's directory inside the checkpoint
 * @param versioned the versioned files, by version, ids of one version in the order of their names
 * @param shared the files of {@code SSTs/} and {@code logs/}, by path relative to {@code path}
 */
public record StateStoreFiles(
    int operator,
    int partition,
    String store,
    String path,
    List<Versioned> versioned,
    Map<String, CheckpointFile> shared) {

  private static final int MOST_DIGITS = 18;
  private static final int SHORTEST_ID = 8;

  public StateStoreFiles {
    requireNonNull(store, "store");
    requireNonNull(path, "path");
    List<Versioned> sorted = new ArrayList<>(versioned);
    sorted.sort(Comparator.comparingLong(Versioned::version));
    versioned = List.copyOf(sorted);
    shared = Map.copyOf(shared);
  }

  /** What a versioned file holds. */
  public enum Form {
    DELTA(".delta"),
    SNAPSHOT(".snapshot"),
    ZIP(".zip"),
    CHANGELOG(".changelog");

    private final String ending;

    Form(String ending) {
      this.ending = ending;
    }

    /** The end of such a file's name. */
    public String ending() {
      return ending;
    }
  }

  /**
   * A versioned file.
   *
   * @param id the id of state format 2; empty in format 1
   */
  public record Versioned(long version, Optional<String> id, Form form, CheckpointFile file) {

    /** What a file is by its name; empty if its name is not that of a versioned file. */
    static Optional<Versioned> of(CheckpointFile file) {
      String path = file.path();
      int from = path.lastIndexOf('/') + 1;
      for (Form form : Form.values()) {
        if (path.endsWith(form.ending)) {
          return of(file, form, from, path.length() - form.ending.length());
        }
      }
      return Optional.empty();
    }

    private static Optional<Versioned> of(CheckpointFile file, Form form, int from, int to) {
      String path = file.path();
      long version = 0;
      int at = from;
      while (at < to && path.charAt(at) >= '0' && path.charAt(at) <= '9') {
        version = version * 10 + path.charAt(at) - '0';
        if (++at - from > MOST_DIGITS) {
          return Optional.empty();
        }
      }
      boolean canonical = at > from && (path.charAt(from) != '0' || at == from + 1);
      if (!canonical || (at < to && path.charAt(at) != '_')) {
        return Optional.empty();
      }
      if (at == to) {
        return Optional.of(new Versioned(version, Optional.empty(), form, file));
      }
      String id = path.substring(at + 1, to);
      return isId(id)
          ? Optional.of(new Versioned(version, Optional.of(id), form, file))
          : Optional.empty();
    }

    private static boolean isId(String text) {
      return text.length() >= SHORTEST_ID
          && text.chars().allMatch(c -> c == '-' || Character.digit(c, 16) >= 0 && c < 128);
    }
  }

  /** The version's file of a form without an id. */
  Optional<CheckpointFile> file(Form form, long version) {
    for (int at = first(version); at < versioned.size(); at++) {
      Versioned file = versioned.get(at);
      if (file.version() != version) {
        break;
      }
      if (file.form() == form && file.id().isEmpty()) {
        return Optional.of(file.file());
      }
    }
    return Optional.empty();
  }

  /** The version's file of a form and an id. */
  Optional<CheckpointFile> file(Form form, long version, String id) {
    for (int at = first(version); at < versioned.size(); at++) {
      Versioned file = versioned.get(at);
      if (file.version() != version) {
        break;
      }
      if (file.form() == form && file.id().isPresent() && file.id().get().equals(id)) {
        return Optional.of(file.file());
      }
    }
    return Optional.empty();
  }

  /** The versioned files of a form up to a version, the newest first; with ids, or without. */
  List<Versioned> upTo(long version, Form form, boolean withId) {
    List<Versioned> found = new ArrayList<>();
    for (int at = versioned.size() - 1; at >= 0; at--) {
      Versioned file = versioned.get(at);
      if (file.form() == form && file.version() <= version && file.id().isPresent() == withId) {
        found.add(file);
      }
    }
    return found;
  }

  private int first(long version) {
    int low = 0;
    int high = versioned.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (versioned.get(middle).version() < version) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Whether there is any file of a form. */
  boolean hasAny(Form form) {
    for (Versioned file : versioned) {
      if (file.form() == form) {
        return true;
      }
    }
    return false;
  }

  /** Whether any file carries an id in its name. */
  public boolean hasIds() {
    for (Versioned file : versioned) {
      if (file.id().isPresent()) {
        return true;
      }
    }
    return false;
  }
}
