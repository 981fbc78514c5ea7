package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.streammigrator.checkpoint.StateStoreFiles.Form;
import org.streammigrator.checkpoint.StateStoreFiles.Versioned;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Finds what one version of one store is built from.
 *
 * <p>Rules from Spark:
 *
 * <ul>
 *   <li>{@code HDFSBackedStateStoreProvider}: the newest snapshot at or below the version, and
 *       every delta after it; without a snapshot all deltas from 1.
 *   <li>{@code RocksDB.loadWithoutCheckpointId}: the newest zip at or below the version with every
 *       file that its inner {@code metadata} names, in the size it names, and every changelog after
 *       it.
 *   <li>{@code RocksDB.loadWithCheckpointId} (state format 2): the zip of the version and its id;
 *       else the version's changelog, whose lineage names the ids of the versions before it down to
 *       a zip, and the changelogs of the versions after that zip. The HDFS-backed provider refuses
 *       format 2.
 *   <li>{@code AutoSnapshotLoader} (4.2.0, on by default; with RocksDB only while changelogs are
 *       written): a snapshot that cannot be loaded is passed over for the next older one at most
 *       500 versions below, or for the empty store, if the changes from there on exist. Up to 4.1
 *       it stops the query. A missing delta or changelog stops every version.
 * </ul>
 */
final class StateChains {
  private static final long MOST_REPLAYED = 500;

  private final Store store;
  private final Location checkpoint;
  private final String codec;
  private final Map<String, String> damaged;
  private final Map<String, Optional<String>> brokenZips = new HashMap<>();
  private final Map<String, RocksSnapshot> snapshots = new HashMap<>();

  /**
   * @param codec the codec that the newest plan pins
   * @param damaged files that a reading of their whole content found damaged, with the reason
   */
  StateChains(Store store, Location checkpoint, String codec, Map<String, String> damaged) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.codec = requireNonNull(codec, "codec");
    this.damaged = Map.copyOf(damaged);
  }

  /** The files of a version of an HDFS-backed store. */
  StateChain hdfs(StateStoreFiles files, long version) {
    return choose(
        files.upTo(version, Form.SNAPSHOT, false),
        version,
        true,
        base -> hdfs(files, base, version));
  }

  /** The files of a version of a RocksDB store of format 1. */
  StateChain rocks(StateStoreFiles files, long version) {
    return choose(
        files.upTo(version, Form.ZIP, false),
        version,
        files.hasAny(Form.CHANGELOG),
        base -> rocks(files, base, version));
  }

  /** The files of a version of a RocksDB store of format 2. */
  StateChain rocks(StateStoreFiles files, long version, Optional<String> id) {
    boolean snapshot = id.isPresent() && files.file(Form.ZIP, version, id.get()).isPresent();
    Optional<CheckpointFile> changelog = id.flatMap(i -> files.file(Form.CHANGELOG, version, i));
    StateChain.Builder into = new StateChain.Builder();
    if (!snapshot && changelog.isEmpty()) {
      into.missing(files.path() + "/" + version + "_" + id.orElse("<id>") + ".zip or .changelog");
      return into.build();
    }
    TreeMap<Long, String> lineage = new TreeMap<>(Map.of(version, id.get()));
    if (!snapshot) {
      Optional<String> problem = addLineage(changelog.get(), lineage);
      if (problem.isPresent()) {
        into.corrupt(changelog.get().path(), problem.get());
        return into.build();
      }
    }
    StateChain chain = alongLineage(files, version, lineage);
    if (chain.complete() || !snapshot) {
      return chain;
    }
    extend(files, version, lineage);
    return alongLineage(files, version, lineage);
  }

  private StateChain alongLineage(
      StateStoreFiles files, long version, SortedMap<Long, String> lineage) {
    List<Versioned> zips = new ArrayList<>();
    for (Versioned zip : files.upTo(version, Form.ZIP, true)) {
      if (zip.id().get().equals(lineage.get(zip.version()))) {
        zips.add(zip);
      }
    }
    return choose(
        zips,
        version,
        files.hasAny(Form.CHANGELOG),
        base -> {
          StateChain.Builder into = new StateChain.Builder();
          base.ifPresent(zip -> takeZip(files, zip, version, into));
          changes(files, base, version, lineage, into);
          return into.build();
        });
  }

  /** Walks back from changelog to changelog, as Spark does where the newest zip is broken. */
  private void extend(StateStoreFiles files, long version, TreeMap<Long, String> lineage) {
    long lowest = Math.max(1, version - MOST_REPLAYED);
    long last = version + 1;
    while (lineage.firstKey() > lowest && lineage.firstKey() < last) {
      last = lineage.firstKey();
      Optional<CheckpointFile> changelog =
          files.file(Form.CHANGELOG, last, lineage.firstEntry().getValue());
      if (changelog.isEmpty() || addLineage(changelog.get(), lineage).isPresent()) {
        return;
      }
    }
  }

  /** Adds what a changelog's header says; what is wrong with it, if anything. */
  private Optional<String> addLineage(CheckpointFile changelog, SortedMap<Long, String> lineage) {
    if (changelog.size() == 0) {
      return Optional.of("it has 0 bytes");
    }
    if (damaged.containsKey(changelog.path())) {
      return Optional.of(damaged.get(changelog.path()));
    }
    try (InputStream in = store.open(checkpoint.child(changelog.path()))) {
      ChangelogHeader header = ChangelogHeader.read(in, codec);
      if (header.version() < 3) {
        return Optional.of("it has no lineage, although its name carries an id");
      }
      lineage.putAll(header.lineage());
      return Optional.empty();
    } catch (LogFormatException | IOException unreadable) {
      return Optional.of("its header cannot be read: " + unreadable.getMessage());
    }
  }

  /** Builds a chain on a base, the empty store if there is none. */
  private interface Chain {
    StateChain on(Optional<Versioned> base);
  }

  /** The chain on the newest base, or where that is broken, on the one that Spark 4.2 takes. */
  private StateChain choose(List<Versioned> bases, long version, boolean mayPassOver, Chain chain) {
    StateChain first = chain.on(bases.stream().findFirst());
    if (first.complete() || bases.isEmpty() || !mayPassOver || !isBroken(bases.get(0), first)) {
      return first;
    }
    Map<String, String> broken = new LinkedHashMap<>();
    note(bases.get(0), first, broken);
    List<Optional<Versioned>> others =
        new ArrayList<>(bases.stream().skip(1).map(Optional::of).toList());
    others.add(Optional.empty());
    for (Optional<Versioned> base : others) {
      if (version - base.map(Versioned::version).orElse(0L) > MOST_REPLAYED) {
        return first;
      }
      StateChain next = chain.on(base);
      if (base.isPresent() && isBroken(base.get(), next)) {
        note(base.get(), next, broken);
      } else {
        return next.complete() ? next.passingOver(broken) : first;
      }
    }
    return first;
  }

  /** Whether it is the base that cannot be used, not a change after it. */
  private boolean isBroken(Versioned base, StateChain chain) {
    return chain.corrupt().containsKey(base.file().path()) || brokenZip(base).isPresent();
  }

  private Optional<String> brokenZip(Versioned base) {
    return brokenZips.getOrDefault(base.file().path(), Optional.empty());
  }

  private void note(Versioned base, StateChain chain, Map<String, String> broken) {
    String path = base.file().path();
    broken.put(
        path,
        Optional.ofNullable(chain.corrupt().get(path)).or(() -> brokenZip(base)).orElse("broken"));
  }

  private StateChain hdfs(StateStoreFiles files, Optional<Versioned> base, long version) {
    StateChain.Builder into = new StateChain.Builder();
    base.ifPresent(snapshot -> take(snapshot.file(), into));
    changes(files, Form.DELTA, base, version, into);
    return into.build();
  }

  private StateChain rocks(StateStoreFiles files, Optional<Versioned> base, long version) {
    StateChain.Builder into = new StateChain.Builder();
    boolean exact = base.isPresent() && base.get().version() == version;
    if (!exact && !files.hasAny(Form.CHANGELOG)) {
      into.missing(files.path() + "/" + version + Form.ZIP.ending());
      return into.build();
    }
    base.ifPresent(zip -> takeZip(files, zip, version, into));
    changes(files, Form.CHANGELOG, base, version, into);
    return into.build();
  }

  private void changes(
      StateStoreFiles files,
      Form form,
      Optional<Versioned> base,
      long version,
      StateChain.Builder into) {
    long from = base.map(Versioned::version).orElse(0L);
    for (long v = from + 1; v <= version && into.room(); v++) {
      Optional<CheckpointFile> change = files.file(form, v);
      if (change.isPresent()) {
        take(change.get(), into);
      } else {
        into.missing(files.path() + "/" + v + form.ending());
      }
    }
  }

  private void changes(
      StateStoreFiles files,
      Optional<Versioned> base,
      long version,
      SortedMap<Long, String> lineage,
      StateChain.Builder into) {
    long from = base.map(Versioned::version).orElse(0L);
    if (base.isEmpty() && lineage.firstKey() > 1) {
      into.missing(
          files.path() + "/" + lineage.firstKey() + "_" + lineage.get(lineage.firstKey()) + ".zip");
      return;
    }
    for (long v = from + 1; v <= version && into.room(); v++) {
      String id = lineage.get(v);
      if (id == null) {
        into.missing(files.path() + "/" + v + "_<id>.changelog");
        continue;
      }
      Optional<CheckpointFile> change = files.file(Form.CHANGELOG, v, id);
      if (change.isPresent()) {
        take(change.get(), into);
      } else {
        into.missing(files.path() + "/" + v + "_" + id + Form.CHANGELOG.ending());
      }
    }
  }

  private void take(CheckpointFile file, StateChain.Builder into) {
    if (file.size() == 0) {
      into.corrupt(file.path(), "it has 0 bytes");
    } else if (damaged.containsKey(file.path())) {
      into.corrupt(file.path(), damaged.get(file.path()));
    } else {
      into.take(file);
    }
  }

  private void takeZip(
      StateStoreFiles files, Versioned zip, long version, StateChain.Builder into) {
    take(zip.file(), into);
    if (!into.room() || zip.file().size() == 0 || damaged.containsKey(zip.file().path())) {
      return;
    }
    RocksSnapshot snapshot = snapshots.get(zip.file().path());
    if (snapshot == null) {
      try (InputStream in = store.open(checkpoint.child(zip.file().path()))) {
        snapshot = RocksSnapshot.read(in);
        snapshots.put(zip.file().path(), snapshot);
      } catch (IOException | LogFormatException failure) {
        into.corrupt(
            zip.file().path(), "its inner metadata cannot be read: " + failure.getMessage());
        return;
      }
    }
    if (zip.version() == version) {
      into.keys(snapshot.keys());
    }
    for (RocksSnapshot.Named named : snapshot.files()) {
      takeNamed(files, zip, named, into);
    }
  }

  private void takeNamed(
      StateStoreFiles files, Versioned zip, RocksSnapshot.Named named, StateChain.Builder into) {
    CheckpointFile file = files.shared().get(named.path());
    String path = files.path() + "/" + named.path();
    if (file == null) {
      into.missing(path);
      brokenZips.put(zip.file().path(), Optional.of("it names " + path + ", which is not there"));
    } else if (named.size().isPresent() && named.size().getAsLong() != file.size()) {
      String reason =
          "it has "
              + file.size()
              + " bytes and "
              + zip.file().path()
              + " wants "
              + named.size().getAsLong();
      into.corrupt(path, reason);
      brokenZips.put(zip.file().path(), Optional.of(path + ": " + reason));
    } else if (damaged.containsKey(path)) {
      into.corrupt(path, damaged.get(path));
      brokenZips.put(zip.file().path(), Optional.of(path + ": " + damaged.get(path)));
    } else {
      into.take(file);
    }
  }
}
