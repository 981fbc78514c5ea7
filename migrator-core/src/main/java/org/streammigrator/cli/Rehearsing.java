package org.streammigrator.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.streammigrator.copy.Trees;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Checksums;
import org.streammigrator.migration.Journal;
import org.streammigrator.migration.StreamItinerary;
import org.streammigrator.migration.StreamOutcome;
import org.streammigrator.migration.StreamPlanner;
import org.streammigrator.plan.Address;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.RehearsePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.rehearsal.RealPlaces;
import org.streammigrator.rehearsal.Rehearsal;
import org.streammigrator.rehearsal.ScratchPlace;
import org.streammigrator.rehearsal.SecretMask;
import org.streammigrator.rehearsal.StreamRehearsal;
import org.streammigrator.storage.ConfinedStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;

/**
 * Rehearses streams: a dry run of the plan as it stands, an apply of it in a scratch place, the new
 * query there, and the place removed.
 *
 * @param journal the plan's own, which is only read
 * @param directory where the queries' commands run
 * @param applying how plans are applied
 * @param keep whether scratch places stay
 */
record Rehearsing(
    Session session,
    Plan plan,
    Journal journal,
    Path directory,
    Applying applying,
    SecretMask mask,
    boolean keep) {

  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final String STOPPED =
      "the scratch copy is not whole; remove it, mend what stopped it, and rehearse the plan again";

  private RehearsalOutput output() {
    return new RehearsalOutput(session.out(), applying.output().json());
  }

  /**
   * Refuses what no rehearsal can be made of, before the first one begins.
   *
   * @throws CliFailure if the command, the time or the scratch place is none
   */
  void check(StreamPlan stream, RehearsePlan how) throws IOException {
    if (how.command().stream().anyMatch(word -> word.indexOf('\0') >= 0)) {
      throw new CliFailure(
          ExitCode.USAGE, stream.name() + ": `rehearse.command` holds a NUL character");
    }
    if (how.timeout().isZero() || how.timeout().compareTo(LONGEST) > 0) {
      throw new CliFailure(
          ExitCode.USAGE,
          stream.name()
              + ": the time for a rehearsal has to be more than 0 and at most "
              + LONGEST.toDays()
              + " days");
    }
    if (how.scratch().isEmpty()) {
      return;
    }
    Location scratch = RealPaths.resolve(how.scratch().get());
    for (Location used : used()) {
      Location real = RealPaths.resolve(used);
      if (scratch.equals(real) || scratch.isInside(real)) {
        throw new CliFailure(
            ExitCode.USAGE,
            stream.name()
                + ": the scratch place "
                + how.scratch().get()
                + " is in "
                + used
                + ", which the plan uses, and a rehearsal writes nothing there; give another place");
      }
    }
  }

  /** Rehearses one stream that was {@link #check checked}. */
  StreamRehearsal rehearse(StreamPlan stream, RehearsePlan how)
      throws IOException, InterruptedException {
    Optional<StreamRehearsal> needless = needless(stream);
    if (needless.isPresent()) {
      output().tell(needless.get());
      return needless.get();
    }
    ScratchPlace scratch;
    Store store;
    try {
      scratch = new ScratchPlace(fresh(how));
      store = new ConfinedStore(session.context().store(), scratch.root());
      store.createDirectory(scratch.root());
    } catch (IOException failure) {
      session.err().println("migrator: " + stream.name() + ": " + Failures.describe(failure));
      StreamRehearsal stopped =
          ended(
              stream,
              StreamRehearsal.Status.STOPPED,
              "there is no place for the scratch copy; nothing was written",
              null,
              List.of());
      output().tell(stopped);
      return stopped;
    }
    AtomicReference<Rehearsal> running = new AtomicReference<>();
    Thread stop = new Thread(() -> interrupt(scratch, running.get()), "stop-rehearsal");
    Runtime.getRuntime().addShutdownHook(stop);
    StreamRehearsal rehearsal;
    try {
      rehearsal = carryOut(stream, how, scratch, store, running);
    } catch (IOException failure) {
      session.err().println("migrator: " + stream.name() + ": " + Failures.describe(failure));
      rehearsal = ended(stream, StreamRehearsal.Status.STOPPED, STOPPED, scratch, List.of());
    } catch (RuntimeException unexpected) {
      session
          .err()
          .println("migrator: " + stream.name() + ": what was written is in " + scratch.root());
      throw unexpected;
    } finally {
      removeHook(stop);
    }
    boolean isWanted =
        keep || !rehearsal.isGood() && rehearsal.status() != StreamRehearsal.Status.REFUSED;
    rehearsal = rehearsal.withKept(isWanted || !removed(store, scratch));
    output().tell(rehearsal);
    return rehearsal;
  }

  private static void removeHook(Thread hook) throws InterruptedException {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException isEnding) {
      // The hook is at work, and what it says is the last that is said.
      hook.join();
    }
  }

  /** Why there is nothing to rehearse, by a dry run of the plan as it stands; empty if there is. */
  private Optional<StreamRehearsal> needless(StreamPlan stream) throws IOException {
    List<Finding> findings;
    if (stream.strategy() == Strategy.BACKFILL) {
      findings =
          List.of(
              Finding.error(
                  FindingCode.NOT_AVAILABLE,
                  "rehearse",
                  "rehearsing a backfill, whose job merges windows into the table, is not available in"
                      + " this version",
                  "rehearse it on a clone of the table, with a plan of its own whose sink that is and"
                      + " whose checkpoint goes elsewhere"));
    } else {
      StreamItinerary itinerary =
          new StreamPlanner(
                  new ReadOnlyStore(session.context().store()),
                  journal,
                  applying.accepted(),
                  Checksums.COMPARED_LATER,
                  session.jobs())
              .plan(stream);
      if (itinerary.done()) {
        return Optional.of(
            ended(
                stream,
                StreamRehearsal.Status.UNCHANGED,
                "an earlier apply finished it; there is nothing to rehearse",
                null,
                List.of()));
      }
      findings = itinerary.findings();
    }
    return Finding.anyError(findings)
        ? Optional.of(
            ended(
                stream,
                StreamRehearsal.Status.REFUSED,
                "apply would be refused, for the reasons that are told; nothing was written",
                null,
                findings))
        : Optional.empty();
  }

  /** A directory that is not there yet. */
  private Location fresh(RehearsePlan how) throws IOException {
    if (how.scratch().isEmpty()) {
      return Location.of(Files.createTempDirectory("migrator-rehearsal-").toRealPath());
    }
    while (true) {
      String id = session.context().ids().get().toString();
      Location place = how.scratch().get().child("rehearsal-" + id.substring(id.length() - 8));
      if (session.context().store().stat(place).isEmpty()) {
        return place;
      }
    }
  }

  /** All places of all streams and of their migration. */
  private List<Location> used() {
    List<Location> used = new ArrayList<>(List.of(journal.directory()));
    for (StreamPlan stream : plan.streams()) {
      used.add(stream.checkpoint().from());
      stream.checkpoint().to().ifPresent(used::add);
      stream.archive().ifPresent(archive -> used.add(archive.to()));
      stream.sink().forEach(sink -> sink.address().location().ifPresent(used::add));
      stream
          .sources()
          .forEach(source -> source.address().flatMap(Address::location).ifPresent(used::add));
    }
    return used;
  }

  private StreamRehearsal carryOut(
      StreamPlan stream,
      RehearsePlan how,
      ScratchPlace scratch,
      Store store,
      AtomicReference<Rehearsal> running)
      throws IOException, InterruptedException {
    StreamPlan mapped = scratch.mapped(stream, store);
    Applying.Ended applied = apply(mapped, scratch, store, applying.accepted());
    StreamOutcome outcome = applied.outcomes().get(0);
    boolean isThere = outcome.finished() || outcome.status() == StreamOutcome.Status.PROVISIONAL;
    if (!isThere) {
      boolean isStopped = outcome.status() == StreamOutcome.Status.STOPPED;
      return ended(
          stream,
          isStopped ? StreamRehearsal.Status.STOPPED : StreamRehearsal.Status.REFUSED,
          isStopped ? STOPPED : outcome.message(),
          scratch,
          outcome.findings());
    }
    JsonNode resolved =
        Journal.open(store, scratch.journal(), session.context().clock())
            .last(stream.name(), "resolved")
            .orElseThrow();
    String exactness = resolved.path("exactness").asText();
    if (how.command().isEmpty()) {
      return new StreamRehearsal(
          stream.name(),
          StreamRehearsal.Status.WRITTEN,
          "the scratch copy was written and verified; the plan has no `rehearse.command` that starts"
              + " the query",
          scratch.root().toString(),
          scratch.checkpoint().toString(),
          true,
          exactness,
          null,
          0,
          List.of(),
          List.of(),
          null,
          List.of());
    }
    output()
        .say(
            stream.name(),
            "starting the new query; it has to commit "
                + how.batches()
                + (how.batches() == 1 ? " batch" : " batches")
                + " within "
                + DurationText.words(how.timeout()));
    Rehearsal rehearsal = new Rehearsal(store, mapped, scratch, mask);
    running.set(rehearsal);
    StreamRehearsal ran =
        rehearsal.run(how, directory, resolved, exactness, RealPlaces.look(store, stream));
    boolean isRebuilt =
        outcome.status() == StreamOutcome.Status.PROVISIONAL
            && ran.status() == StreamRehearsal.Status.REHEARSED;
    return isRebuilt ? looked(ran, mapped, scratch, store) : ran;
  }

  /** What the batch left that rebuilds state. Its output went nowhere that matters, however far. */
  private StreamRehearsal looked(
      StreamRehearsal ran, StreamPlan mapped, ScratchPlace scratch, Store store)
      throws IOException {
    StreamOutcome outcome = apply(mapped, scratch, store, applying.accepted()).outcomes().get(0);
    return outcome.finished()
        ? ran
        : new StreamRehearsal(
            ran.name(),
            StreamRehearsal.Status.FAILED,
            outcome.message(),
            ran.scratch(),
            ran.checkpoint(),
            true,
            ran.exactness(),
            ran.batch(),
            ran.batches(),
            ran.sources(),
            ran.sinks(),
            ran.query(),
            outcome.findings());
  }

  private Applying.Ended apply(
      StreamPlan mapped, ScratchPlace scratch, Store store, Set<FindingCode> accepted)
      throws IOException {
    Session confined =
        new Session(session.context().withStore(store), session.out(), session.err());
    return applying
        .with(confined, accepted)
        .carryOut(
            plan.name(),
            List.of(mapped),
            List.of(),
            plan.run(),
            scratch.journal(),
            at -> {},
            false);
  }

  /** Removes a scratch place; says so if it cannot be. */
  private boolean removed(Store store, ScratchPlace scratch) {
    try {
      if (!RealPaths.resolve(scratch.root()).equals(scratch.root())) {
        throw new IOException("it was replaced by a link, and what that leads to is not touched");
      }
      Trees.delete(store, scratch.root());
      return true;
    } catch (IOException failure) {
      session
          .err()
          .println(
              "migrator: " + scratch.root() + " cannot be removed: " + Failures.describe(failure));
      return false;
    }
  }

  private void interrupt(ScratchPlace scratch, Rehearsal running) {
    boolean isEnded = running != null && running.interrupt();
    session
        .err()
        .println(
            "migrator: interrupted; "
                + (isEnded ? "the rehearsed query is ended; " : "")
                + "what was written is in "
                + scratch.root()
                + ", which can be removed");
  }

  private static StreamRehearsal ended(
      StreamPlan stream,
      StreamRehearsal.Status status,
      String message,
      ScratchPlace scratch,
      List<Finding> findings) {
    return new StreamRehearsal(
        stream.name(),
        status,
        message,
        scratch == null ? null : scratch.root().toString(),
        scratch == null ? null : scratch.checkpoint().toString(),
        scratch != null,
        null,
        null,
        0,
        List.of(),
        List.of(),
        null,
        findings);
  }
}
