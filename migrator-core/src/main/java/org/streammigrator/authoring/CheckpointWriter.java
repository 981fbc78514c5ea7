package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.streammigrator.copy.CheckpointSummary;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.HashingInputStream;
import org.streammigrator.copy.HashingOutputStream;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.ToolVersion;
import org.streammigrator.copy.Trees;
import org.streammigrator.copy.Verification;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Writes a drafted checkpoint: to a staging place beside its target, verified there, and then under
 * its final name in one move.
 *
 * <p>Guarantees: every call may be repeated after a crash at any moment and ends in the same bytes;
 * the old checkpoint is only read; nothing is under the final name before all of it is staged.
 */
public final class CheckpointWriter {
  private final Store store;

  public CheckpointWriter(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** Where a checkpoint is staged before it gets its final name. */
  public static Location stagingFor(Location target) {
    return Manifests.beside(target, "migrator-staging");
  }

  /**
   * Writes all files of a draft to the staging place, and the manifest beside the target. What an
   * earlier attempt left there is kept if it is right and removed if not.
   *
   * @param from the old checkpoint
   */
  public Manifest stage(Location from, Draft draft, Location target) throws IOException {
    Location staging = stagingFor(target);
    store.createDirectory(staging);
    removeForeign(staging, draft);
    List<ManifestFile> files = new ArrayList<>();
    for (TargetFile file : draft.files()) {
      files.add(stage(from, file, staging));
    }
    Manifest manifest =
        new Manifest(
            ToolVersion.CURRENT,
            target.toString(),
            new CheckpointSummary(
                draft.queryId(), boxed(draft.lastPlanned()), boxed(draft.lastCommitted())),
            files,
            List.of());
    Manifests.write(store, target, manifest);
    return manifest;
  }

  /** Reads the staged files back and compares them with their manifest. */
  public Verification verifyStaged(Location target) throws IOException {
    return Copies.verify(store, stagingFor(target), Manifests.read(store, target));
  }

  /**
   * Gives the staged checkpoint its final name.
   *
   * @throws java.nio.file.FileAlreadyExistsException if something is there
   */
  public void publish(Location target) throws IOException {
    store.publish(stagingFor(target), target);
  }

  private void removeForeign(Location staging, Draft draft) throws IOException {
    Set<String> wanted = new HashSet<>();
    for (TargetFile file : draft.files()) {
      String path = file.path();
      for (int end = path.length(); end > 0; end = path.lastIndexOf('/', end - 1)) {
        wanted.add(path.substring(0, end));
      }
    }
    List<StoreEntry> staged = Trees.walk(store, staging);
    for (int i = staged.size() - 1; i >= 0; i--) {
      if (!wanted.contains(staged.get(i).location().relativeTo(staging))) {
        store.delete(staged.get(i).location());
      }
    }
  }

  private ManifestFile stage(Location from, TargetFile file, Location staging) throws IOException {
    Location to = staging.child(file.path());
    Optional<StoreEntry> staged = store.stat(to);
    if (staged.isPresent()) {
      String sha256 = sourceHash(from, file);
      boolean right =
          staged.get().isFile()
              && staged.get().size() == file.size()
              && staged.get().modified().equals(file.modified())
              && hash(to).equals(sha256);
      if (right) {
        return new ManifestFile(file.path(), file.size(), sha256, file.modified());
      }
      store.delete(to);
    }
    String[] sha256 = new String[1];
    Content content =
        out -> {
          HashingOutputStream hashing = new HashingOutputStream(out);
          file.content(store, from).writeTo(hashing);
          if (hashing.count() != file.size()) {
            throw new IOException(
                from.child(file.path())
                    + " changed its size from "
                    + file.size()
                    + " to "
                    + hashing.count()
                    + " bytes while it was copied; stop the query first");
          }
          sha256[0] = hashing.sha256();
        };
    store.write(to, content, Optional.of(file.modified()));
    return new ManifestFile(file.path(), file.size(), sha256[0], file.modified());
  }

  private String sourceHash(Location from, TargetFile file) throws IOException {
    HashingOutputStream hashing = new HashingOutputStream(OutputStream.nullOutputStream());
    file.content(store, from).writeTo(hashing);
    return hashing.sha256();
  }

  private String hash(Location file) throws IOException {
    try (HashingInputStream in = new HashingInputStream(store.open(file))) {
      in.drain();
      return in.sha256();
    }
  }

  private static Long boxed(OptionalLong batch) {
    return batch.isPresent() ? (Long) batch.getAsLong() : null;
  }
}
