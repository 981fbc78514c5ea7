package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The files of one state store of one partition. Names from Spark's {@code
 * HDFSBackedStateStoreProvider} ({@code v.delta}, {@code v.snapshot}) and {@code
 * RocksDBFileManager} ({@code v.zip}, {@code v.changelog}, {@code SSTs/}, {@code logs/}); in state
 * format 2 an id follows the version: {@code v_<uuid>.zip}.
 *
 * @param operator the stateful operator's number
 * @param partition the partition's number
 * @param store the store's name, {@code default} where it has none
 * @param path the store's directory inside the checkpoint
 * @param files every file below it that belongs to the store, by path relative to {@code path}
 */
public record StateStoreFiles(
    int operator, int partition, String store, String path, Map<String, CheckpointFile> files) {

  private static final Pattern VERSIONED =
      Pattern.compile("([0-9]{1,18})(?:_([0-9a-fA-F-]{8,}))?\\.(delta|snapshot|zip|changelog)");

  public StateStoreFiles {
    requireNonNull(store, "store");
    requireNonNull(path, "path");
    files = Collections.unmodifiableMap(new TreeMap<>(files));
  }

  /** What a versioned file holds. */
  public enum Form {
    DELTA,
    SNAPSHOT,
    ZIP,
    CHANGELOG
  }

  /**
   * A versioned file.
   *
   * @param id the id of state format 2; empty in format 1
   */
  public record Versioned(long version, Optional<String> id, Form form, CheckpointFile file) {}

  /** The versioned files, by version. */
  public List<Versioned> versioned() {
    List<Versioned> versions = new ArrayList<>();
    files.forEach(
        (name, file) -> {
          Matcher matcher = VERSIONED.matcher(name);
          if (matcher.matches()) {
            versions.add(
                new Versioned(
                    Long.parseLong(matcher.group(1)),
                    Optional.ofNullable(matcher.group(2)),
                    Form.valueOf(matcher.group(3).toUpperCase(java.util.Locale.ROOT)),
                    file));
          }
        });
    return versions;
  }

  /** Whether there is any versioned file. */
  boolean isEmpty() {
    return files.keySet().stream().noneMatch(name -> VERSIONED.matcher(name).matches());
  }

  /** Whether any file carries an id in its name. */
  public boolean hasIds() {
    return files.keySet().stream().anyMatch(name -> name.indexOf('_') > 0)
        && versioned().stream().anyMatch(file -> file.id().isPresent());
  }
}
