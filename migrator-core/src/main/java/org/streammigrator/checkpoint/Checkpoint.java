package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.streammigrator.storage.Location;

/**
 * A checkpoint as it stood when it was read: an immutable value that nothing changes afterwards.
 *
 * @param location where it is
 * @param files everything below it, nested checkpoints included, sorted by path
 * @param metadata the query's id
 * @param offsets the planned batches
 * @param commits the committed batches
 * @param sourceDirectories what the sources keep for themselves, by source id
 * @param operators the stateful operators
 * @param stateVersions what loading the state takes, for each version that a restart could need
 * @param nested the paths of checkpoints that lie below this one
 * @param staleCrc the paths of files read whose hidden checksum sibling contradicts them
 */
public record Checkpoint(
    Location location,
    List<CheckpointFile> files,
    LogFile<QueryMetadata> metadata,
    BatchLog<OffsetLog> offsets,
    BatchLog<CommitLog> commits,
    Map<String, SourceDirectory> sourceDirectories,
    List<OperatorState> operators,
    Map<Long, StateVersion> stateVersions,
    List<String> nested,
    List<String> staleCrc) {

  public Checkpoint {
    requireNonNull(location, "location");
    requireNonNull(metadata, "metadata");
    files = List.copyOf(files);
    sourceDirectories = Map.copyOf(sourceDirectories);
    operators = List.copyOf(operators);
    stateVersions = Map.copyOf(stateVersions);
    nested = List.copyOf(nested);
    staleCrc = List.copyOf(staleCrc);
  }

  /** The query's id; empty if {@code metadata} is missing or damaged. */
  public Optional<String> queryId() {
    return metadata.readable().map(QueryMetadata::id);
  }

  /** What a source keeps for itself; an empty directory if it has none. */
  public SourceDirectory sourceDirectory(String source) {
    SourceDirectory directory = sourceDirectories.get(source);
    return directory == null ? SourceDirectory.empty(source) : directory;
  }

  /** L: the newest planned batch. */
  public OptionalLong lastPlanned() {
    return offsets.newest();
  }

  /** C: the newest batch that is both planned and committed; the query's position is its end. */
  public OptionalLong lastCommitted() {
    return BatchLog.newestInBoth(commits, offsets);
  }

  /** The newest commit, if it is newer than every plan that is left. */
  public OptionalLong commitsAhead() {
    OptionalLong newest = commits.newest();
    return newest.isPresent() && newest.getAsLong() > lastPlanned().orElse(-1)
        ? newest
        : OptionalLong.empty();
  }

  /** Every planned batch above the last committed one. */
  public SortedSet<Long> pending() {
    OptionalLong committed = lastCommitted();
    SortedSet<Long> pending =
        committed.isPresent() ? offsets.after(committed.getAsLong()) : offsets.batches();
    return Collections.unmodifiableSortedSet(new TreeSet<>(pending));
  }

  /** The plan of the last committed batch; empty if there is none or it cannot be read. */
  public Optional<OffsetLog> committedOffsets() {
    return lastCommitted().isPresent()
        ? offsets.file(lastCommitted().getAsLong()).readable()
        : Optional.empty();
  }

  /** The newest plan; empty if there is none or it cannot be read. */
  public Optional<OffsetLog> plannedOffsets() {
    return lastPlanned().isPresent()
        ? offsets.file(lastPlanned().getAsLong()).readable()
        : Optional.empty();
  }

  /**
   * The header that a restart takes its settings from: of the newest plan, else the last committed.
   */
  public Optional<OffsetHeader> restartHeader() {
    return plannedOffsets()
        .flatMap(OffsetLog::header)
        .or(() -> committedOffsets().flatMap(OffsetLog::header));
  }

  /**
   * Whether this is a checkpoint at all: Spark makes {@code metadata}, {@code offsets/} and {@code
   * commits/} before anything else, and a damaged one keeps at least one of them.
   */
  public boolean isCheckpoint() {
    return entry("metadata").filter(file -> !file.isDirectory()).isPresent()
        || entry("offsets").filter(file -> !file.isFile()).isPresent()
        || entry("commits").filter(file -> !file.isFile()).isPresent();
  }

  /** What a path inside the checkpoint stands for; empty if there is nothing. */
  public Optional<CheckpointFile> entry(String path) {
    return CheckpointFiles.find(files, path);
  }

  /** Whether the query keeps state. */
  public boolean stateful() {
    return !operators.isEmpty();
  }

  /** The state version that a restart loads: L while batch L is pending, else L + 1; 0 if none. */
  public long requiredStateVersion() {
    if (lastPlanned().isEmpty()) {
      return 0;
    }
    long planned = lastPlanned().getAsLong();
    return pending().isEmpty() ? planned + 1 : planned;
  }

  /** The same checkpoint after its state was read, in which more may have turned out damaged. */
  public Checkpoint with(StateReading reading) {
    Map<Long, StateVersion> versions = new HashMap<>(stateVersions);
    versions.put(reading.version().version(), reading.version());
    return new Checkpoint(
        location,
        files,
        metadata,
        offsets,
        commits,
        sourceDirectories,
        operators,
        versions,
        nested,
        staleCrc);
  }

  /**
   * SHA-256 over the paths, sizes and times of files, as 64 hexadecimal digits: another one
   * whenever a file came, went, or was written.
   */
  public static String fingerprint(List<CheckpointFile> files) {
    MessageDigest digest;
    try {
      digest = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java has SHA-256", impossible);
    }
    ByteBuffer numbers = ByteBuffer.allocate(2 * Long.BYTES + Integer.BYTES);
    for (CheckpointFile file : files) {
      if (file.isFile()) {
        numbers.clear();
        numbers.putLong(file.size());
        numbers.putLong(file.modified().getEpochSecond()).putInt(file.modified().getNano());
        digest.update(numbers.array());
        // NUL cannot stand in a path, a line break can.
        String names = file.path() + '\0' + file.tag().orElse("") + '\0';
        digest.update(names.getBytes(StandardCharsets.UTF_8));
      }
    }
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The files directly or deeper below a directory of the checkpoint, by path. */
  public List<CheckpointFile> filesBelow(String directory) {
    return CheckpointFiles.below(files, directory).stream()
        .filter(CheckpointFile::isFile)
        .collect(Collectors.toUnmodifiableList());
  }

  /** Whether a path lies in a checkpoint nested below this one. */
  public boolean inNested(String path) {
    return !nested.isEmpty()
        && nested.stream().anyMatch(root -> path.equals(root) || path.startsWith(root + "/"));
  }
}
