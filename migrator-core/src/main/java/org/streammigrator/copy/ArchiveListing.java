package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What an archive says that it holds. Nothing but its index and its manifests is read.
 *
 * @param archive where it is
 * @param size bytes of the archive
 * @param indexed whether it has an index; without one it was read and verified whole
 * @param keepUntil the last day on which it is to be kept
 * @param checkpoints the checkpoints in it
 */
public record ArchiveListing(
    Location archive,
    long size,
    boolean indexed,
    Optional<LocalDate> keepUntil,
    List<Part> checkpoints) {

  /**
   * A checkpoint in an archive.
   *
   * @param name its name; empty in an archive of one
   * @param manifest what is in it
   */
  public record Part(String name, Manifest manifest) {}

  public ArchiveListing {
    requireNonNull(archive, "archive");
    requireNonNull(keepUntil, "keepUntil");
    checkpoints = List.copyOf(checkpoints);
  }

  /**
   * Lists an archive.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such file
   * @throws DamagedException if its index or a manifest is damaged
   */
  public static ArchiveListing of(Store store, Location archive) throws IOException {
    try (ArchiveContents contents = ArchiveContents.open(store, archive)) {
      List<Part> parts = new ArrayList<>();
      for (String name : contents.names()) {
        parts.add(new Part(name, contents.manifest(name)));
      }
      long size = store.stat(archive).map(StoreEntry::size).orElse(0L);
      return new ArchiveListing(
          archive, size, contents.isIndexed(), Retention.of(store, archive), parts);
    }
  }

  /** The number of files in all checkpoints. */
  public long files() {
    return checkpoints.stream().mapToLong(part -> part.manifest().files().size()).sum();
  }

  /** The number of bytes in all checkpoints. */
  public long bytes() {
    return checkpoints.stream().mapToLong(part -> part.manifest().bytes()).sum();
  }
}
