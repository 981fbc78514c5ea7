package org.streammigrator.discovery;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.finding.Severity;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.verdict.Inspection;
import org.streammigrator.verdict.Inspector;

/** Finds checkpoints and says of each what fits on a line. */
public final class Discoverer {
  /** Small, since the time goes into waiting for a disk or a store, and a machine has others. */
  private static final int THREADS = Math.min(4, Runtime.getRuntime().availableProcessors());

  /** What is said of what the logs can tell, not of the checkpoint. */
  private static final Set<FindingCode> OF_OUR_KNOWLEDGE =
      Set.of(FindingCode.SOURCE_TYPE_AMBIGUOUS, FindingCode.SOURCE_UNKNOWN);

  private final Store store;
  private final Location root;
  private final Lags lags;
  private final boolean whole;
  private final long nowMs;

  private Discoverer(Store store, Location root, Facts facts, boolean whole, long nowMs) {
    this.store = requireNonNull(store, "store");
    this.root = requireNonNull(root, "root");
    this.lags = new Lags(requireNonNull(facts, "facts"));
    this.whole = whole;
    this.nowMs = nowMs;
  }

  /**
   * Searches.
   *
   * @param facts what is known of the sources, for lags
   * @param whole whether each checkpoint is read as {@code inspect} reads it, state included
   * @param clock the time that ages are counted from
   * @throws java.nio.file.NoSuchFileException if there is no root
   * @throws java.nio.file.NotDirectoryException if it is a file
   * @throws IOException if the root cannot be listed
   */
  public static Discovery discover(
      Store store, Location root, Facts facts, boolean whole, Clock clock) throws IOException {
    Discoverer discoverer = new Discoverer(store, root, facts, whole, clock.millis());
    CheckpointFinder<DiscoveredCheckpoint> finder =
        new CheckpointFinder<>(store, root, THREADS, discoverer::read);
    SortedMap<String, DiscoveredCheckpoint> found = finder.search();
    List<DiscoveredCheckpoint> checkpoints = new ArrayList<>();
    found.forEach((path, read) -> checkpoints.add(read.inside(around(path, found))));
    return new Discovery(
        root.toString(),
        checkpoints,
        finder.directories(),
        checkpoints.size(),
        finder.tables(),
        finder.findings());
  }

  private static Optional<String> around(String path, Map<String, DiscoveredCheckpoint> found) {
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      DiscoveredCheckpoint outer = found.get(path.substring(0, slash));
      if (outer != null) {
        return Optional.of(outer.relative());
      }
    }
    return Optional.empty();
  }

  private DiscoveredCheckpoint read(Location location, List<StoreEntry> entries)
      throws IOException {
    ShallowStore shallow = new ShallowStore(store, entries);
    Inspection inspection =
        Inspector.inspect(new CheckpointReader(whole ? store : shallow).read(location), Map.of());
    List<StoreEntry> files = shallow.seen().stream().filter(StoreEntry::isFile).toList();
    OptionalLong commit = newest(files, location.child("commits").path() + "/");
    long active = commit.orElse(newest(files, "").orElse(nowMs));
    List<Finding> findings =
        inspection.findings().stream().filter(finding -> !ofTheRoot(finding, location)).toList();
    return new DiscoveredCheckpoint(
        location.toString(),
        location.equals(root) ? "." : location.relativeTo(root),
        null,
        inspection.queryId(),
        sources(inspection),
        batches(inspection.batches(), files, location),
        inspection.watermarkMs(),
        commit.isPresent() ? commit.getAsLong() : null,
        Math.max(0, nowMs - active),
        entries.stream()
            .anyMatch(entry -> entry.location().name().equals("state") && !entry.isFile()),
        files.size(),
        files.stream().mapToLong(StoreEntry::size).sum(),
        whole ? inspection.files().count() : null,
        whole ? inspection.files().bytes() : null,
        inspection.restartable(),
        health(inspection.restartable(), findings),
        findings);
  }

  /** The time of the newest file whose path begins so, hidden ones left out. */
  private static OptionalLong newest(List<StoreEntry> files, String prefix) {
    long newest = Long.MIN_VALUE;
    for (StoreEntry file : files) {
      Location location = file.location();
      if (location.path().startsWith(prefix) && !location.name().startsWith(".")) {
        newest = Math.max(newest, file.modified().toEpochMilli());
      }
    }
    return newest == Long.MIN_VALUE ? OptionalLong.empty() : OptionalLong.of(newest);
  }

  /** The batches with the first of them that is retained, which the reader need not have seen. */
  private static Inspection.Batches batches(
      Inspection.Batches read, List<StoreEntry> files, Location checkpoint) {
    if (read.firstRetained() == null) {
      return read;
    }
    String prefix = checkpoint.child("offsets").path() + "/";
    long first = read.firstRetained();
    for (StoreEntry file : files) {
      if (file.location().path().startsWith(prefix)) {
        String name = file.location().name();
        long number = name.startsWith(".") ? -1 : PlainHistory.number(name);
        first = number < 0 ? first : Math.min(first, number);
      }
    }
    return new Inspection.Batches(read.lastPlanned(), read.lastCommitted(), read.pending(), first);
  }

  /** A place below a tmp directory is one because of where the root is: its user knows that. */
  private static boolean ofTheRoot(Finding finding, Location checkpoint) {
    return finding.code() == FindingCode.TEMPORARY_LOCATION
        && !checkpoint.name().startsWith("temporary-");
  }

  private static Health health(boolean restartable, List<Finding> findings) {
    if (!restartable || Finding.anyError(findings)) {
      return Health.ERROR;
    }
    boolean warned =
        findings.stream()
            .anyMatch(
                finding ->
                    finding.severity() == Severity.WARNING
                        && !OF_OUR_KNOWLEDGE.contains(finding.code()));
    return warned ? Health.WARNING : Health.OK;
  }

  private List<DiscoveredCheckpoint.Source> sources(Inspection inspection) {
    List<DiscoveredCheckpoint.Source> sources = new ArrayList<>();
    for (Inspection.Source source : inspection.sources()) {
      sources.add(
          new DiscoveredCheckpoint.Source(
              source.id(),
              source.type(),
              source.committed(),
              source.consumedThrough(),
              lags.of(source)));
    }
    return sources;
  }
}
