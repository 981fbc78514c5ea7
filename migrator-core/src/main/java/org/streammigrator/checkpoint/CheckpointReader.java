package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads a checkpoint, however damaged it is: one listing, and then only the few files that a
 * restart and a position need. Damage is in the result, never an exception.
 */
public final class CheckpointReader {
  private static final int LARGEST_LOG = 64 << 20;
  private static final int MOST_PENDING_READ = 32;

  private final Store store;

  public CheckpointReader(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** Parses one log file. */
  @FunctionalInterface
  private interface Parser<T> {
    T parse(byte[] bytes) throws LogFormatException;
  }

  /**
   * Reads a checkpoint.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   * @throws java.nio.file.NotDirectoryException if it is a file
   * @throws IOException if the directory itself cannot be listed
   */
  public Checkpoint read(Location location) throws IOException {
    List<CheckpointFile> files = list(location);
    List<String> nested = nested(files);
    Reading reading = new Reading(location, files);

    LogFile<QueryMetadata> metadata = reading.file("metadata", QueryMetadata::parse);
    Names offsetNames = names(files, "offsets");
    Names commitNames = names(files, "commits");
    BatchLog<OffsetLog> offsets =
        reading.log(
            "offsets", offsetNames, offsetsToRead(offsetNames, commitNames), OffsetLog::parse);
    BatchLog<CommitLog> commits =
        reading.log(
            "commits", commitNames, commitsToRead(offsetNames, commitNames), CommitLog::parse);

    Optional<OffsetHeader> header = Optional.empty();
    if (offsets.newest().isPresent()) {
      header = offsets.file(offsets.newest().getAsLong()).readable().flatMap(OffsetLog::header);
    }
    List<OperatorState> operators = reading.operators(header);
    Map<Long, StateVersion> versions =
        operators.isEmpty()
            ? Map.of()
            : new StateSearch(store, location, operators, header, commits).search(offsets);
    return new Checkpoint(
        location,
        files,
        metadata,
        offsets,
        commits,
        new SourceDirectories(store, location, reading::checkCrc)
            .read(sources(files), plans(offsets, commits)),
        operators,
        versions,
        nested,
        reading.staleCrc);
  }

  /** The plans of the last committed and of the newest batch, as far as they can be read. */
  private static List<OffsetLog> plans(BatchLog<OffsetLog> offsets, BatchLog<CommitLog> commits) {
    TreeSet<Long> wanted = new TreeSet<>(offsets.batches());
    wanted.retainAll(commits.batches());
    wanted.headSet(wanted.isEmpty() ? 0L : wanted.last()).clear();
    offsets.newest().ifPresent(wanted::add);
    return wanted.stream().flatMap(b -> offsets.file(b).readable().stream()).toList();
  }

  /** Lists a checkpoint without reading a file; fails as {@link #read} does. */
  public List<CheckpointFile> list(Location location) throws IOException {
    List<StoreEntry> entries = store.walk(location);
    List<CheckpointFile> files = new ArrayList<>(entries.size());
    for (StoreEntry entry : entries) {
      files.add(
          new CheckpointFile(
              entry.location().relativeTo(location),
              entry.kind(),
              entry.size(),
              entry.modified(),
              entry.tag()));
    }
    return files;
  }

  /** Reads the plan of one batch, also of one that {@link #read} does not look at. */
  public LogFile<OffsetLog> offsets(Location location, long batch) throws IOException {
    Location file = location.child("offsets").child(Long.toString(batch));
    if (store.stat(file).filter(StoreEntry::isFile).isEmpty()) {
      return new LogFile.Missing<>();
    }
    try {
      return new LogFile.Readable<>(OffsetLog.parse(store.readAll(file)));
    } catch (LogFormatException damaged) {
      return new LogFile.Damaged<>(damaged.code(), damaged.getMessage());
    }
  }

  /** The names in a log directory that Spark takes for batches. */
  private record Names(TreeSet<Long> batches, List<String> strays) {}

  private static Names names(List<CheckpointFile> files, String directory) {
    TreeSet<Long> batches = new TreeSet<>();
    List<String> strays = new ArrayList<>();
    String prefix = directory + "/";
    for (CheckpointFile file : CheckpointFiles.below(files, directory)) {
      String path = file.path();
      if (!file.isFile() || path.indexOf('/', prefix.length()) >= 0) {
        continue;
      }
      String name = file.name();
      try {
        long batch = Long.parseLong(name);
        if (batch >= 0) {
          batches.add(batch);
        }
        if (!name.equals(Long.toString(batch)) || batch < 0) {
          strays.add(name);
        }
      } catch (NumberFormatException notABatch) {
        // Spark does not see it either.
      }
    }
    return new Names(batches, strays);
  }

  /** L and L-1; and where C is not L, everything from C-1 on, up to a number. */
  private static TreeSet<Long> offsetsToRead(Names offsets, Names commits) {
    TreeSet<Long> wanted = new TreeSet<>();
    if (offsets.batches().isEmpty()) {
      return wanted;
    }
    long newest = offsets.batches().last();
    wanted.add(newest);
    wanted.add(newest - 1);
    OptionalLong committed = newestInBoth(offsets, commits);
    if (committed.isEmpty()) {
      offsets.batches().stream().limit(MOST_PENDING_READ).forEach(wanted::add);
    } else {
      wanted.add(committed.getAsLong());
      wanted.add(committed.getAsLong() - 1);
      offsets.batches().tailSet(committed.getAsLong()).stream()
          .limit(MOST_PENDING_READ)
          .forEach(wanted::add);
    }
    return wanted;
  }

  /** The newest, C, and where they are not L, those of L and L-1 too. */
  private static TreeSet<Long> commitsToRead(Names offsets, Names commits) {
    TreeSet<Long> wanted = new TreeSet<>();
    if (commits.batches().isEmpty()) {
      return wanted;
    }
    long newest = commits.batches().last();
    wanted.add(newest);
    newestInBoth(offsets, commits).ifPresent(wanted::add);
    if (!offsets.batches().isEmpty() && offsets.batches().last() != newest) {
      wanted.add(offsets.batches().last());
      wanted.add(offsets.batches().last() - 1);
    }
    return wanted;
  }

  private static OptionalLong newestInBoth(Names offsets, Names commits) {
    for (long batch : offsets.batches().descendingSet()) {
      if (commits.batches().contains(batch)) {
        return OptionalLong.of(batch);
      }
    }
    return OptionalLong.empty();
  }

  /** A checkpoint has {@code offsets/} and either {@code metadata} or {@code commits/}. */
  private static List<String> nested(List<CheckpointFile> files) {
    TreeSet<String> withOffsets = new TreeSet<>();
    TreeSet<String> withRest = new TreeSet<>();
    for (CheckpointFile file : files) {
      if (isOwn(file.path())) {
        continue;
      }
      int slash = file.path().lastIndexOf('/');
      if (slash < 0) {
        continue;
      }
      String parent = file.path().substring(0, slash);
      if (file.isDirectory() && file.name().equals("offsets")) {
        withOffsets.add(parent);
      } else if ((file.isFile() && file.name().equals("metadata"))
          || (file.isDirectory() && file.name().equals("commits"))) {
        withRest.add(parent);
      }
    }
    withOffsets.retainAll(withRest);
    return List.copyOf(withOffsets);
  }

  /** Whether a path lies in one of the directories that Spark makes itself. */
  private static boolean isOwn(String path) {
    return path.startsWith("state/")
        || path.startsWith("offsets/")
        || path.startsWith("commits/")
        || path.startsWith("sources/");
  }

  /** The directory of the sources' private files, and what is below it. */
  private static List<CheckpointFile> sources(List<CheckpointFile> files) {
    return CheckpointFiles.below(files, "sources");
  }

  /** The reading of one checkpoint: its files by path, and what was noticed on the way. */
  private final class Reading {
    private final Location location;
    private final List<CheckpointFile> files;
    private final List<String> staleCrc = new ArrayList<>();

    private Reading(Location location, List<CheckpointFile> files) {
      this.location = location;
      this.files = files;
    }

    private <T> BatchLog<T> log(
        String directory, Names names, TreeSet<Long> wanted, Parser<T> parser) {
      Map<Long, LogFile<T>> read = new TreeMap<>();
      for (long batch : wanted) {
        read.put(batch, file(directory + "/" + batch, parser));
      }
      return new BatchLog<>(directory, names.batches(), names.strays(), read);
    }

    private <T> LogFile<T> file(String path, Parser<T> parser) {
      Optional<CheckpointFile> found =
          CheckpointFiles.find(files, path).filter(file -> !file.isDirectory());
      if (found.isEmpty()) {
        return new LogFile.Missing<>();
      }
      CheckpointFile file = found.get();
      if (!file.isFile()) {
        return new LogFile.Damaged<>(
            FindingCode.UNREADABLE, "it cannot be read: it is no regular file");
      }
      if (file.size() > LARGEST_LOG) {
        return new LogFile.Damaged<>(
            FindingCode.UNREADABLE,
            "it has " + file.size() + " bytes; files of this kind have some thousand");
      }
      try {
        byte[] bytes = store.readAll(location.child(path));
        checkCrc(path, bytes);
        return new LogFile.Readable<>(parser.parse(bytes));
      } catch (LogFormatException damaged) {
        return new LogFile.Damaged<>(damaged.code(), damaged.getMessage());
      } catch (IOException unreadable) {
        return new LogFile.Damaged<>(
            FindingCode.UNREADABLE, "it cannot be read: " + reason(unreadable));
      }
    }

    private void checkCrc(String path, byte[] bytes) {
      int slash = path.lastIndexOf('/') + 1;
      String crcPath = path.substring(0, slash) + "." + path.substring(slash) + ".crc";
      Optional<CheckpointFile> crc =
          CheckpointFiles.find(files, crcPath).filter(CheckpointFile::isFile);
      if (crc.isEmpty()) {
        return;
      }
      try {
        if (crc.get().size() > LARGEST_LOG
            || !HadoopCrc.matches(store.readAll(location.child(crcPath)), bytes)) {
          staleCrc.add(path);
        }
      } catch (IOException unreadable) {
        staleCrc.add(path);
      }
    }

    private List<OperatorState> operators(Optional<OffsetHeader> header) {
      return new StateLayout(store, location, files).operators(header);
    }
  }

  private static String reason(IOException failure) {
    return failure instanceof java.nio.file.AccessDeniedException
        ? "permission denied"
        : String.valueOf(failure.getMessage());
  }
}
