package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.streammigrator.copy.CheckpointSummary;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.CopyWorkers;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.ToolVersion;
import org.streammigrator.copy.TreeCopy;
import org.streammigrator.copy.Trees;
import org.streammigrator.copy.Verification;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Writes a drafted checkpoint. Where the store publishes: to a staging place beside the target,
 * verified there, and then under its final name in one move. Elsewhere: under its final name at
 * once, in an order in which no Spark version starts from it until its last file is there, which is
 * written when everything else is verified.
 *
 * <p>Guarantees: every call may be repeated after a crash at any moment and ends in the same bytes;
 * the old checkpoint is only read; at the target nothing is touched that no earlier attempt put
 * there.
 */
public final class CheckpointWriter {
  private final Store store;
  private final CopyOptions options;
  private final String owner;
  private final CopyProgress progress;
  private final Optional<CopyWorkers> workers;

  /**
   * Prepares a writer that tells nobody and copies by itself.
   *
   * @param owner for whom it writes: one owner's half-written checkpoint is nobody else's
   */
  public CheckpointWriter(Store store, CopyOptions options, String owner) {
    this(store, options, owner, CopyProgress.NONE, Optional.empty());
  }

  /**
   * Prepares a writer.
   *
   * @param owner for whom it writes: one owner's half-written checkpoint is nobody else's
   * @param progress told how far the copy is, and then its verification
   * @param workers other processes that copy, if there are any
   */
  public CheckpointWriter(
      Store store,
      CopyOptions options,
      String owner,
      CopyProgress progress,
      Optional<CopyWorkers> workers) {
    this.store = requireNonNull(store, "store");
    this.options = requireNonNull(options, "options");
    this.owner = requireNonNull(owner, "owner");
    this.progress = requireNonNull(progress, "progress");
    this.workers = requireNonNull(workers, "workers");
  }

  /** Where a checkpoint is staged before it gets its final name, if the store publishes. */
  public static Location stagingFor(Location target) {
    return Manifests.beside(target, "migrator-staging");
  }

  /**
   * Whether what an apply wrote for a target is not whole there yet: it is still staged, or the
   * file that makes it startable is missing.
   */
  public static boolean isUnpublished(Store store, Location target) throws IOException {
    if (store.traits(target).publishes()) {
      return store.stat(stagingFor(target)).isPresent();
    }
    WriteIntent intent = WriteIntent.read(store, target);
    if (!store.traits(target).wholeOrNothing()) {
      return intent.isOpen(); // Its last file may be there in part.
    }
    for (String path : intent.last()) {
      if (store.stat(target.child(path)).isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /** Another owner who has begun to write at a target that cannot be staged, and has not ended. */
  public static Optional<String> otherWriter(Store store, Location target, String owner)
      throws IOException {
    return store.traits(target).publishes()
        ? Optional.empty()
        : WriteIntent.read(store, target).otherThan(owner);
  }

  /** Whether all that is at a target was put there by an owner's attempt that has not ended. */
  public static boolean isOurs(Store store, Location target, String owner) throws IOException {
    WriteIntent intent = store.traits(target).publishes() ? null : WriteIntent.read(store, target);
    return intent != null
        && intent.isOpen()
        && intent.otherThan(owner).isEmpty()
        && TargetFiles.of(store, target).keySet().stream().allMatch(intent::names);
  }

  /**
   * Writes all files of a draft, in place all but the last, and the manifest beside the target.
   * What an earlier attempt left there is kept if it is right and removed if not.
   *
   * @param from the old checkpoint
   * @throws FileAlreadyExistsException if something is at the target that is not ours
   */
  public Staged stage(Location from, Draft draft, Location target) throws IOException {
    List<TargetSource> sources = TargetSource.of(draft, from);
    boolean moves = store.traits(target).publishes();
    TreeCopy copy =
        new TreeCopy(
            store, moves ? stagingFor(target) : target, target, options, progress, workers);
    progress.began(CopyProgress.Phase.COPY, sources.size(), draft.bytes());
    List<ManifestFile> lines;
    try {
      lines = moves ? stageBeside(copy, sources, target) : writeInPlace(copy, sources, target);
    } finally {
      progress.ended();
    }
    lines = lines.stream().sorted(Comparator.comparing(ManifestFile::path)).toList();
    Manifest manifest =
        new Manifest(
            ToolVersion.CURRENT,
            target.toString(),
            new CheckpointSummary(
                draft.queryId(), boxed(draft.lastPlanned()), boxed(draft.lastCommitted())),
            lines,
            List.of());
    Manifests.write(store, target, manifest);
    return new Staged(manifest, copy, sources, moves);
  }

  /**
   * Copies ahead what a query that still runs leaves as it is: its state and the logs of its
   * sources. That holds no position, and nothing is published. A {@link #stage} that follows copies
   * what is new or different, and removes what is no longer needed.
   *
   * @param from the old checkpoint
   * @return what is copied
   * @throws FileAlreadyExistsException if something is at the target that is not ours
   */
  public List<ManifestFile> copyAhead(Location from, Draft draft, Location target)
      throws IOException {
    List<TargetSource> sources =
        TargetSource.of(draft, from).stream()
            .filter(source -> source.stored().isPresent() && isAhead(source.path()))
            .toList();
    boolean moves = store.traits(target).publishes();
    Location place = moves ? stagingFor(target) : target;
    TreeCopy copy = new TreeCopy(store, place, target, options, progress, workers);
    progress.began(
        CopyProgress.Phase.COPY,
        sources.size(),
        sources.stream().mapToLong(TargetSource::size).sum());
    try {
      if (moves) {
        store.createDirectory(place);
        return copy.copyAhead(sources, TargetFiles.keepWanted(store, place, sources));
      }
      WriteIntent intent = WriteIntent.read(store, target);
      Map<String, StoreEntry> there = TargetFiles.owned(store, target, intent, owner);
      Set<String> wanted = new HashSet<>();
      sources.forEach(source -> wanted.add(source.path()));
      intent.record(store, owner, wanted, Optional.empty());
      return copy.copyAhead(sources, there);
    } finally {
      progress.ended();
    }
  }

  private static boolean isAhead(String path) {
    return path.startsWith("state/") || path.startsWith("sources/");
  }

  /** Compares what was written with the manifest; reads what the store did not verify itself. */
  public Verification verify(Staged staged) throws IOException {
    return staged.copy().verify(staged.moves() ? staged.manifest() : withoutLast(staged));
  }

  /**
   * Makes the checkpoint one that Spark starts from: gives the staged one its final name, or writes
   * the last file of one that stands there.
   *
   * @throws FileAlreadyExistsException if something else is there
   */
  public void publish(Staged staged, Location target) throws IOException {
    TreeCopy.forget(store, target);
    if (staged.moves()) {
      store.publish(stagingFor(target), target);
      return;
    }
    for (TargetSource last : named(staged.sources(), last(staged.sources()))) {
      ManifestFile written = staged.copy().copy(List.of(last), Map.of()).get(0);
      if (!staged.manifest().files().contains(written) || !staged.copy().isRight(written)) {
        throw new IOException(target.child(last.path()) + " is not what was written");
      }
    }
    WriteIntent.read(store, target).close(store);
  }

  /** Removes the record of a write that came to its end, if a crash left it. */
  public void tidy(Location target) throws IOException {
    if (!store.traits(target).publishes()
        && isOurs(store, target, owner)
        && !isUnpublished(store, target)) {
      WriteIntent.read(store, target).close(store);
    }
  }

  /**
   * Removes what was written for a target, whole or not, with the records beside it. Nothing starts
   * from a target that is half removed: it goes in one move, or the file that makes it startable
   * goes first. What is at the target must be this owner's.
   */
  public void remove(Location target) throws IOException {
    if (store.traits(target).publishes()) {
      if (!TargetFiles.of(store, target).isEmpty()) {
        store.publish(target, stagingFor(target));
      } else if (isEmptyDraft(target)) {
        store.delete(target);
      }
      Trees.delete(store, stagingFor(target));
    } else {
      Set<String> paths = TargetFiles.of(store, target).keySet();
      WriteIntent intent = WriteIntent.read(store, target);
      if (!paths.isEmpty()) {
        intent.record(store, owner, paths, WriteOrder.of(paths).last());
        for (String last : intent.last()) {
          store.delete(target.child(last));
        }
        Trees.delete(store, target);
      }
      intent.close(store);
    }
    TreeCopy.forget(store, target);
    store.delete(Manifests.locationFor(target));
  }

  /**
   * A checkpoint that is written but not published.
   *
   * @param manifest all its files, the last one among them
   */
  public record Staged(
      Manifest manifest, TreeCopy copy, List<TargetSource> sources, boolean moves) {
    public Staged {
      requireNonNull(manifest, "manifest");
      requireNonNull(copy, "copy");
      sources = List.copyOf(sources);
    }
  }

  private List<ManifestFile> stageBeside(TreeCopy copy, List<TargetSource> sources, Location target)
      throws IOException {
    Location staging = stagingFor(target);
    store.createDirectory(staging);
    return copy.copy(sources, TargetFiles.keepWanted(store, staging, sources));
  }

  private List<ManifestFile> writeInPlace(
      TreeCopy copy, List<TargetSource> sources, Location target) throws IOException {
    WriteIntent intent = WriteIntent.read(store, target);
    Map<String, StoreEntry> there = TargetFiles.owned(store, target, intent, owner);
    Set<String> wanted = new HashSet<>();
    sources.forEach(source -> wanted.add(source.path()));
    WriteOrder order = WriteOrder.of(wanted);
    // Without its last file nothing starts from what is there while it is mended.
    List<String> unwanted = new ArrayList<>();
    intent.last().stream().filter(there::containsKey).sorted().forEach(unwanted::add);
    intent.record(store, owner, wanted, order.last());
    there.keySet().stream()
        .filter(path -> !wanted.contains(path) && !unwanted.contains(path))
        .sorted()
        .forEach(unwanted::add);
    order
        .last()
        .filter(path -> there.containsKey(path) && !unwanted.contains(path))
        .ifPresent(path -> unwanted.add(0, path));
    for (String path : unwanted) {
      store.delete(target.child(path));
      there.remove(path);
    }
    List<ManifestFile> lines = new ArrayList<>();
    for (String first : order.first()) {
      lines.addAll(copy.copy(named(sources, Set.of(first)), there));
    }
    Set<String> apart = new HashSet<>(order.first());
    order.last().ifPresent(apart::add);
    lines.addAll(
        copy.copy(
            sources.stream().filter(source -> !apart.contains(source.path())).toList(), there));
    for (TargetSource last : named(sources, Set.copyOf(order.last().stream().toList()))) {
      lines.add(new ManifestFile(last.path(), last.size(), copy.hash(last), last.modified()));
      progress.moved(last.size());
      progress.done(1);
    }
    return lines;
  }

  private static List<TargetSource> named(List<TargetSource> sources, Set<String> paths) {
    return sources.stream().filter(source -> paths.contains(source.path())).toList();
  }

  private static Set<String> last(List<TargetSource> sources) {
    return Set.copyOf(
        WriteOrder.of(sources.stream().map(TargetSource::path).toList()).last().stream().toList());
  }

  /** Whether what was published there has no file. */
  private boolean isEmptyDraft(Location target) throws IOException {
    try {
      return store.stat(target).isPresent()
          && store.list(target).isEmpty()
          && Manifests.read(store, target).files().isEmpty();
    } catch (NoSuchFileException | InvalidManifestException none) {
      return false;
    }
  }

  private static Manifest withoutLast(Staged staged) {
    Set<String> last = last(staged.sources());
    Manifest manifest = staged.manifest();
    return new Manifest(
        manifest.toolVersion(),
        manifest.checkpoint(),
        manifest.summary(),
        manifest.files().stream().filter(file -> !last.contains(file.path())).toList(),
        manifest.emptyDirectories());
  }

  private static Long boxed(OptionalLong batch) {
    return batch.isPresent() ? (Long) batch.getAsLong() : null;
  }
}
