package org.streammigrator.authoring;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.copy.CopySource;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Where the bytes of a drafted file come from. */
record TargetSource(
    TargetFile file, Location from, Optional<StoreEntry> stored, Optional<CopySource> checksumOf)
    implements CopySource {

  /**
   * The sources of a draft's files.
   *
   * @param from the old checkpoint
   */
  static List<TargetSource> of(Draft draft, Location from) {
    Map<String, TargetSource> byPath = new LinkedHashMap<>();
    for (TargetFile file : draft.files()) {
      byPath.put(file.path(), of(file, from));
    }
    List<TargetSource> sources = new ArrayList<>(byPath.size());
    for (TargetSource source : byPath.values()) {
      boolean checksum =
          source.stored.isPresent()
              && HadoopCrc.isName(source.path().substring(source.path().lastIndexOf('/') + 1));
      CopySource guarded = checksum ? byPath.get(HadoopCrc.guarded(source.path())) : null;
      sources.add(
          guarded == null
              ? source
              : new TargetSource(source.file, from, source.stored, Optional.of(guarded)));
    }
    return sources;
  }

  private static TargetSource of(TargetFile file, Location from) {
    if (file instanceof TargetFile.Copied copied) {
      return new TargetSource(
          file,
          from,
          Optional.of(
              new StoreEntry(
                  from.child(copied.from().path()),
                  StoreEntry.Kind.FILE,
                  copied.size(),
                  copied.modified(),
                  copied.from().tag())),
          Optional.empty());
    }
    return new TargetSource(file, from, Optional.empty(), Optional.empty());
  }

  @Override
  public String path() {
    return file.path();
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public Instant modified() {
    return file.modified();
  }

  @Override
  public Content content(Store store) {
    return file.content(store, from);
  }
}
