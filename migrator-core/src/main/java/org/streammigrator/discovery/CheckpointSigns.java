package org.streammigrator.discovery;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.LogFormatException;
import org.streammigrator.checkpoint.QueryMetadata;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Tells from what lies in a directory whether it is a checkpoint. Spark makes {@code metadata},
 * {@code offsets/} and {@code commits/} before anything else. {@code offsets/} beside one of the
 * others is enough. Where only one of the three is left, its content decides, since other things
 * are called so too: Iceberg keeps a source's first offset in {@code sources/<n>/offsets/0},
 * without a version line, and tables have a {@code metadata}.
 */
final class CheckpointSigns {
  private static final Set<String> OWN_DIRECTORIES =
      Set.of("offsets", "commits", "sources", "state");

  /** What the directory of a Delta source's schema log begins with, in a checkpoint. */
  static final String SCHEMA_LOG = "_schema_log_";

  private static final Pattern BATCH = Pattern.compile("[0-9]{1,19}");
  private static final int LARGEST_METADATA = 4096;

  private final Store store;

  CheckpointSigns(Store store) {
    this.store = store;
  }

  /**
   * Whether a directory is a checkpoint.
   *
   * @param entries what lies in it
   */
  boolean isCheckpoint(List<StoreEntry> entries) throws IOException {
    Map<String, StoreEntry> byName = new HashMap<>();
    for (StoreEntry entry : entries) {
      byName.put(entry.location().name(), entry);
    }
    Optional<StoreEntry> metadata =
        Optional.ofNullable(byName.get("metadata")).filter(entry -> !entry.isDirectory());
    Optional<StoreEntry> offsets = log(byName.get("offsets"));
    Optional<StoreEntry> commits = log(byName.get("commits"));
    if (offsets.isPresent() && (metadata.isPresent() || commits.isPresent())) {
      return true;
    }
    return metadata.isPresent() && (commits.isPresent() || isQueryId(metadata.get()))
        || offsets.isPresent() && holdsBatches(offsets.get())
        || commits.isPresent() && holdsBatches(commits.get());
  }

  /** A log directory, also one that cannot be listed. */
  private static Optional<StoreEntry> log(StoreEntry entry) {
    return Optional.ofNullable(entry).filter(log -> !log.isFile());
  }

  private boolean isQueryId(StoreEntry metadata) {
    if (!metadata.isFile() || metadata.size() > LARGEST_METADATA) {
      return false;
    }
    try {
      QueryMetadata.parse(store.readAll(metadata.location()));
      return true;
    } catch (LogFormatException | IOException noQueryId) {
      return false;
    }
  }

  private boolean holdsBatches(StoreEntry log) throws IOException {
    if (!log.isDirectory()) {
      return false;
    }
    for (StoreEntry file : store.list(log.location())) {
      if (file.isFile() && BATCH.matcher(file.location().name()).matches()) {
        return beginsWithVersion(file.location());
      }
    }
    return false;
  }

  private boolean beginsWithVersion(Location file) throws IOException {
    try (InputStream in = store.open(file)) {
      return new String(in.readNBytes(2), StandardCharsets.UTF_8).matches("v[0-9]");
    }
  }

  /**
   * Whether a directory in a checkpoint belongs to it, so that no other one is looked for there.
   */
  static boolean isOwn(String name) {
    return OWN_DIRECTORIES.contains(name) || name.startsWith(SCHEMA_LOG);
  }

  /**
   * Whether a directory called {@code state} that lies in no checkpoint is one of a checkpoint that
   * is gone: it holds numbered operators and nothing else.
   */
  static boolean isState(List<StoreEntry> entries) {
    return !entries.isEmpty()
        && entries.stream()
            .allMatch(
                entry -> entry.isDirectory() && entry.location().name().matches("[0-9]{1,9}"));
  }
}
