package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.archival.PolicyResult.Item;
import org.streammigrator.archival.PolicyResult.Status;
import org.streammigrator.copy.ArchiveListing;
import org.streammigrator.copy.ArchiveResult;
import org.streammigrator.copy.Archives;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.Retention;
import org.streammigrator.discovery.DiscoveredCheckpoint;
import org.streammigrator.discovery.Discoverer;
import org.streammigrator.facts.Facts;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.LockedException;
import org.streammigrator.plan.ArchivePolicy;
import org.streammigrator.plan.PolicyChoice;
import org.streammigrator.plan.PolicyRoot;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Archives what a policy chooses.
 *
 * <p>Guarantees: no checkpoint that fails keeps another from being archived; an archive of the same
 * state that is where the policy puts it is not written again; a run that was stopped anywhere is
 * finished by the next one; checkpoints are only read, and nothing is deleted but what a run that
 * was stopped left half written.
 */
public final class PolicyRun {
  private static final int ATTEMPTS_WHEN_LOCKED = 20;
  private static final long PAUSE_WHEN_LOCKED_MS = 500;
  private static final Pattern NAME = Pattern.compile("\\$\\{([a-z]+)}");

  private final Store store;
  private final Clock clock;
  private final ArchivePolicy policy;
  private final boolean dryRun;
  private final boolean takeOver;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<String> locked = ConcurrentHashMap.newKeySet();

  /**
   * @param dryRun whether nothing is written
   * @param takeOver whether another run that writes the same archive is put out
   */
  public PolicyRun(
      Store store, Clock clock, ArchivePolicy policy, boolean dryRun, boolean takeOver) {
    this.store = dryRun ? new ReadOnlyStore(store) : requireNonNull(store, "store");
    this.clock = requireNonNull(clock, "clock");
    this.policy = requireNonNull(policy, "policy");
    this.dryRun = dryRun;
    this.takeOver = takeOver;
  }

  /** Runs the policy. */
  public PolicyResult run() throws IOException {
    Set<Location> superseded = superseded();
    List<Callable<Item>> work = new ArrayList<>();
    Set<Location> seen = new HashSet<>();
    for (PolicyRoot root : policy.roots()) {
      for (DiscoveredCheckpoint found : discover(root)) {
        Location checkpoint = Location.parse(found.path(), Path.of("/"));
        if (seen.add(checkpoint)) {
          work.add(() -> item(root, found, checkpoint, superseded));
        }
      }
    }
    ExecutorService threads = Executors.newFixedThreadPool(policy.parallelism());
    try {
      List<Future<Item>> futures = new ArrayList<>();
      work.forEach(each -> futures.add(threads.submit(each)));
      List<Item> items = new ArrayList<>();
      for (int i = 0; i < futures.size(); i++) {
        Item item = futures.get(i).get();
        items.add(locked.remove(item.checkpoint()) ? again(work.get(i), item) : item);
      }
      return new PolicyResult(policy.name(), dryRun, items, findings);
    } catch (ExecutionException failed) {
      if (failed.getCause() instanceof Error error) {
        throw error;
      }
      throw new IllegalStateException(failed.getCause());
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", interrupted);
    } finally {
      threads.shutdownNow();
    }
  }

  /** What another run held: it is archived by now, or this run archives it when that one ends. */
  private Item again(Callable<Item> work, Item held) throws ExecutionException {
    Item item = held;
    try {
      for (int attempt = 0; attempt < ATTEMPTS_WHEN_LOCKED; attempt++) {
        item = work.call();
        if (!locked.remove(item.checkpoint())) {
          return item;
        }
        Thread.sleep(ThreadLocalRandom.current().nextLong(PAUSE_WHEN_LOCKED_MS));
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    } catch (Exception failure) {
      throw new ExecutionException(failure);
    }
    return item;
  }

  /** The real places of what the journals say is superseded. */
  private Set<Location> superseded() {
    Set<Location> superseded = new HashSet<>();
    for (Location journal : policy.journals()) {
      try {
        for (Supersession each : Supersession.read(store, journal)) {
          superseded.add(each.checkpoint());
          superseded.add(RealPaths.resolve(each.checkpoint()));
        }
      } catch (IOException | IllegalStateException unreadable) {
        findings.add(
            Finding.error(
                FindingCode.UNREADABLE,
                journal.toString(),
                "the journal cannot be read (" + unreadable.getMessage() + ")",
                "name the journal's own directory, and give this user access"));
      }
    }
    return superseded;
  }

  private List<DiscoveredCheckpoint> discover(PolicyRoot root) {
    try {
      var discovery = Discoverer.discover(store, root.path(), Facts.NONE, false, clock);
      findings.addAll(discovery.findings());
      return discovery.checkpoints();
    } catch (IOException | RuntimeException unreadable) {
      findings.add(
          Finding.error(
              FindingCode.UNREADABLE,
              root.path().toString(),
              "the root cannot be searched (" + unreadable.getMessage() + ")",
              "name a directory that is there, and give this user access"));
      return List.of();
    }
  }

  private Item item(
      PolicyRoot root, DiscoveredCheckpoint found, Location checkpoint, Set<Location> superseded) {
    String archive = null;
    try {
      Optional<String> reason = reasonToSkip(found, checkpoint, superseded);
      if (reason.isPresent()) {
        return Item.without(found.path(), Status.SKIPPED, null, reason.get());
      }
      Location directory = directory(root, found, checkpoint);
      Archives.ArchiveName name = Archives.nameOf(store, checkpoint);
      Location place = directory.child(name.name());
      archive = place.toString();
      if (store.stat(place).isPresent()) {
        return unchanged(found, checkpoint, place, name);
      }
      if (dryRun) {
        return new Item(
            found.path(),
            Status.ARCHIVED,
            null,
            archive,
            name.files(),
            name.bytes(),
            null,
            until(clock.instant()).map(LocalDate::toString).orElse(null));
      }
      ArchiveResult result =
          Archives.archive(
              store,
              List.of(checkpoint),
              directory,
              ArchiveLocks.of(store, clock, "policy " + policy.name(), takeOver),
              CopyProgress.NONE);
      return item(
          found,
          result.existed() ? Status.UNCHANGED : Status.ARCHIVED,
          result.archive(),
          result.files(),
          result.bytes());
    } catch (IOException | RuntimeException failure) {
      if (failure instanceof LockedException) {
        locked.add(found.path());
      }
      String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
      return Item.without(found.path(), Status.FAILED, archive, message);
    }
  }

  private Optional<String> reasonToSkip(
      DiscoveredCheckpoint found, Location checkpoint, Set<Location> superseded)
      throws IOException {
    PathPatterns included = new PathPatterns(policy.include());
    if (!included.isEmpty() && !included.match(found.relative(), checkpoint.name())) {
      return Optional.of("no pattern of `include` matches it");
    }
    if (new PathPatterns(policy.exclude()).match(found.relative(), checkpoint.name())) {
      return Optional.of("a pattern of `exclude` matches it");
    }
    boolean wanted =
        policy.choose() == PolicyChoice.IDLE
            || superseded.contains(checkpoint)
            || superseded.contains(RealPaths.resolve(checkpoint));
    if (!wanted) {
      return Optional.of("no journal says that it is superseded");
    }
    if (policy.olderThan().isPresent() && found.ageMs() < policy.olderThan().get().toMillis()) {
      return Optional.of(
          "its last commit is " + Duration.ofMillis(found.ageMs()).toHours() + " hours old only");
    }
    return Optional.empty();
  }

  /** What an archive that has the name of this state says of itself, without reading its files. */
  private Item unchanged(
      DiscoveredCheckpoint found,
      Location checkpoint,
      Location archive,
      Archives.ArchiveName expected)
      throws IOException {
    ArchiveListing listing = ArchiveListing.of(store, archive);
    boolean same =
        listing.checkpoints().size() == 1
            && listing.files() == expected.files()
            && listing.bytes() == expected.bytes()
            && Location.parse(listing.checkpoints().get(0).manifest().checkpoint(), Path.of("/"))
                .equals(checkpoint);
    if (!same) {
      throw new IOException(
          archive + " has the name of this state, and holds something else; move it away");
    }
    if (!dryRun) {
      ArchiveLocks.tidy(store, clock, Manifests.beside(archive, "lock"));
    }
    return item(found, Status.UNCHANGED, archive, expected.files(), expected.bytes());
  }

  private Item item(
      DiscoveredCheckpoint found, Status status, Location archive, long files, long bytes)
      throws IOException {
    StoreEntry entry = store.stat(archive).orElseThrow();
    Optional<LocalDate> until = until(entry.modified());
    if (until.isPresent() && !dryRun) {
      until = Optional.of(Retention.keep(store, archive, until.get()));
    } else if (until.isEmpty()) {
      until = Retention.of(store, archive);
    }
    return new Item(
        found.path(),
        status,
        null,
        archive.toString(),
        files,
        bytes,
        entry.size(),
        until.map(LocalDate::toString).orElse(null));
  }

  /** Until when an archive of some age is to be kept. */
  private Optional<LocalDate> until(Instant written) {
    return policy.keepUntil().or(() -> policy.keepFor().map(length -> day(written.plus(length))));
  }

  private Location directory(PolicyRoot root, DiscoveredCheckpoint found, Location checkpoint) {
    LocalDate day = day(Instant.ofEpochMilli(activeMs(found)));
    String rootName = root.path().name().isEmpty() ? "root" : root.path().name();
    int slash = found.relative().indexOf('/');
    String team = root.team().orElse(slash > 0 ? found.relative().substring(0, slash) : rootName);
    Map<String, String> values =
        Map.of(
            "team", team,
            "root", rootName,
            "name", checkpoint.name().isEmpty() ? "root" : checkpoint.name(),
            "date", day.toString(),
            "year", String.format(Locale.ROOT, "%04d", day.getYear()),
            "month", String.format(Locale.ROOT, "%02d", day.getMonthValue()),
            "day", String.format(Locale.ROOT, "%02d", day.getDayOfMonth()));
    Matcher matcher = NAME.matcher(policy.to());
    String text =
        matcher.replaceAll(
            name -> Matcher.quoteReplacement(values.getOrDefault(name.group(1), name.group())));
    return Location.parse(text, Path.of("/"));
  }

  /** When the last commit was, or without one the newest file: no function of now. */
  private long activeMs(DiscoveredCheckpoint found) {
    return found.lastCommitMs() != null ? found.lastCommitMs() : clock.millis() - found.ageMs();
  }

  private static LocalDate day(Instant instant) {
    return instant.atZone(ZoneOffset.UTC).toLocalDate();
  }
}
