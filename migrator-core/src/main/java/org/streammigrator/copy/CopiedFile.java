package org.streammigrator.copy;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Optional;
import org.streammigrator.storage.StoreEntry;

/**
 * A file that was copied, and by what it is known again at the target.
 *
 * @param file what was copied, with the time of the source
 * @param sourceTag the source's tag, where there was one
 * @param targetTag the tag that the target got, where there is one
 * @param targetModified the time that the target has, where the store keeps the times it is given
 * @param verified whether it is proven that the target holds these bytes
 */
public record CopiedFile(
    ManifestFile file,
    Optional<String> sourceTag,
    Optional<String> targetTag,
    Optional<Instant> targetModified,
    boolean verified) {

  public CopiedFile {
    requireNonNull(file, "file");
    requireNonNull(sourceTag, "sourceTag");
    requireNonNull(targetTag, "targetTag");
    requireNonNull(targetModified, "targetModified");
  }

  CopiedFile proven() {
    return new CopiedFile(file, sourceTag, targetTag, targetModified, true);
  }

  /** Whether the source is in the state that was copied. */
  boolean isOf(CopySource source) {
    return file.size() == source.size()
        && file.modified().equals(source.modified())
        && sourceTag.equals(source.stored().flatMap(StoreEntry::tag));
  }

  /** Whether what is at the target is what was put there: by its tag, else by its time. */
  boolean isAt(long size, Instant modified, Optional<String> tag) {
    if (size != file.size()) {
      return false;
    }
    return targetTag.isPresent()
        ? targetTag.equals(tag)
        : targetModified.equals(Optional.of(modified));
  }
}
