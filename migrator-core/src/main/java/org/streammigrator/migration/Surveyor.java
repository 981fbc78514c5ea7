package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.checkpoint.embedded.EmbeddedFiles;
import org.streammigrator.checkpoint.embedded.RewrittenFile;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.JobRunner;
import org.streammigrator.plan.CopyScope;
import org.streammigrator.plan.SourceKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.replay.ReplayRange;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Reads from the world all that a stream's migration depends on; writes nothing. */
public final class Surveyor {
  private final Store store;
  private final Checksums checksums;
  private final DeltaTables tables;
  private final StateSurvey state;
  private final PlaceSurvey places;
  private final SinkSurvey sinks;
  private final FileSinks fileSinks;
  private final SinkLogSurvey sinkLogs;
  private final Map<String, DeltaFacts> surveyed = new HashMap<>();

  /**
   * Prepares surveys.
   *
   * @param owner whose half-written targets are not in the way
   * @param jobs where Spark jobs run; asked only where a strategy needs one
   */
  public Surveyor(Store store, String owner, Checksums checksums, Supplier<JobRunner> jobs) {
    this.store = requireNonNull(store, "store");
    this.checksums = requireNonNull(checksums, "checksums");
    this.tables = new DeltaTables(store);
    this.state = new StateSurvey(store, new StateJobs(jobs));
    this.places = new PlaceSurvey(store, owner);
    this.fileSinks = new FileSinks(store);
    this.sinkLogs = new SinkLogSurvey(store);
    this.sinks = new SinkSurvey(tables, fileSinks, sinkLogs);
  }

  /**
   * Surveys one stream. What is wrong with it is in the findings.
   *
   * @param changed what is to be said of a target that is not empty, where more is known of it
   * @throws IOException if storage fails
   */
  public StreamSurvey survey(StreamPlan stream, Optional<Finding> changed) throws IOException {
    List<Finding> findings = new ArrayList<>(Unavailable.of(stream));
    Location from = stream.checkpoint().from();
    boolean served = places.check(stream, changed, findings);
    Optional<Checkpoint> checkpoint = served ? read(from, findings) : Optional.empty();
    Facts facts = Facts.NONE;
    SinkSurvey.Records sinks = SinkSurvey.Records.NONE;
    Repair repair = new Repair(store);
    if (checkpoint.isPresent() && stream.repair()) {
      checkpoint = Optional.of(repair.withoutStrays(checkpoint.get(), findings));
    }
    Optional<RewindSurvey> rewind = Optional.empty();
    if (checkpoint.isPresent() && stream.strategy() == Strategy.REWIND) {
      rewind =
          Rewinding.survey(store, tables, fileSinks, sinkLogs, stream, checkpoint.get(), findings);
    }
    Store view = rewind.map(past -> past.asOf().overlay().over(store)).orElse(store);
    Optional<String> whole =
        rewind.isPresent()
            ? Optional.of(Checkpoint.fingerprint(rewind.get().whole().files()))
            : Optional.empty();
    if (rewind.isPresent()) {
      checkpoint = Optional.of(rewind.get().asOf().checkpoint());
    }
    if (checkpoint.isPresent()) {
      facts = sources(stream, checkpoint.get(), facts, findings);
      findings.addAll(new SchemaLogSurvey(store).findings(checkpoint.get()));
      findings.addAll(new InputSurvey(view).findings(stream, checkpoint.get()));
    }
    if (checkpoint.isPresent() && stream.strategy() != Strategy.REWIND) {
      sinks = this.sinks.survey(stream, checkpoint.get(), findings);
      if (stream.repair()) {
        checkpoint =
            Optional.of(repair.withoutCommitsAhead(checkpoint.get(), sinks.last(), findings));
      }
      Optional<String> queryId = checkpoint.get().queryId();
      if (queryId.isPresent() && sinks.last().isPresent()) {
        facts = facts.withSinkTxn(queryId.get(), sinks.last().getAsLong());
      }
    }
    boolean keyed =
        !stream.sink().isEmpty()
            && sinks.areAsked()
            && stream.sink().stream().allMatch(SinkSurvey::keyedByBatch);
    List<String> stale =
        checkpoint.isPresent() && stream.copy() == CopyScope.ALL
            ? staleChecksums(checkpoint.get())
            : List.of();
    List<RewrittenFile> embedded =
        checkpoint.isPresent()
            ? EmbeddedFiles.read(
                view, checkpoint.get(), Moves.checkpoint(stream), Moves.data(stream))
            : List.of();
    Optional<ReplayRange> replay =
        checkpoint.isPresent() && stream.strategy() == Strategy.REPLAY
            ? state.replay(stream, checkpoint.get(), facts, findings)
            : Optional.empty();
    return new StreamSurvey(
        stream,
        checkpoint,
        facts,
        keyed,
        sinks.newest(),
        stale,
        embedded,
        rewind.map(RewindSurvey::moves).orElse(sinks.moves()),
        whole.or(repair::wholeFingerprint),
        repair.mayRepeat(sinks.last()),
        replay,
        checkpoint.isPresent()
                && (stream.strategy() == Strategy.SEED
                    || stream.strategy() == Strategy.START_OPTIONS)
            ? state.keys(checkpoint.get())
            : new TreeMap<>(),
        rewind,
        findings);
  }

  private Optional<Checkpoint> read(Location from, List<Finding> findings) throws IOException {
    Checkpoint checkpoint;
    try {
      checkpoint = new CheckpointReader(store).read(from);
    } catch (NoSuchFileException missing) {
      findings.add(notACheckpoint(from, "there is no such directory"));
      return Optional.empty();
    } catch (NotDirectoryException file) {
      findings.add(notACheckpoint(from, "this is a file, not a directory"));
      return Optional.empty();
    } catch (AccessDeniedException denied) {
      findings.add(unreadable(from, denied));
      return Optional.empty();
    }
    boolean anything =
        checkpoint.files().stream()
            .map(CheckpointFile::path)
            .anyMatch(
                path ->
                    path.equals("offsets") || path.equals("commits") || path.equals("metadata"));
    if (!anything) {
      findings.add(
          notACheckpoint(from, "it holds neither offsets nor commits nor the file metadata"));
      return Optional.empty();
    }
    return Optional.of(checkpoint);
  }

  /** A table that another machine may reach, and this one does not. */
  static Finding notAsked(Location table, IOException failure) {
    return Finding.warning(
        FindingCode.NOT_AVAILABLE,
        table.toString(),
        "it cannot be asked from here, so that nothing is known of it: " + failure.getMessage(),
        "give its credentials in `storage`; or look yourself, whether it still has what is to be"
            + " read, or has the newest batch if one is pending");
  }

  static Finding unreadable(Location place, IOException failure) {
    return Finding.error(
        FindingCode.UNREADABLE,
        place.toString(),
        "it cannot be read, so that nothing is known of it: "
            + (failure instanceof AccessDeniedException denied
                ? "no permission for " + denied.getFile()
                : failure.getMessage()),
        "give this user access, or repair it");
  }

  private static Finding notACheckpoint(Location from, String message) {
    return Finding.error(
        FindingCode.NOT_A_CHECKPOINT,
        from.toString(),
        message,
        "check `checkpoint.from`; migrator inspect shows what is at a place");
  }

  private Facts sources(
      StreamPlan stream, Checkpoint checkpoint, Facts known, List<Finding> findings)
      throws IOException {
    Facts facts = known;
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan source = stream.sources().get(i);
      Optional<Location> table =
          source
              .address()
              .filter(address -> address.kind() == SourceKind.DELTA)
              .flatMap(address -> address.location());
      String id = DeclaredSources.id(stream, i, checkpoint);
      boolean isAsked =
          stream.strategy() == Strategy.REPLAY
              && source
                  .address()
                  .filter(
                      place -> place.kind() == SourceKind.KAFKA || place.kind() == SourceKind.FILES)
                  .isPresent();
      if (source.address().isPresent() && table.isEmpty() && !source.isNew() && !isAsked) {
        findings.add(
            Finding.info(
                FindingCode.NOT_AVAILABLE,
                "sources[" + i + "]",
                "this version asks Delta tables by their paths only; what "
                    + source.address().get().kind().label()
                    + " still holds is not checked",
                "check yourself that retention has not removed what is still to be read"));
      }
      if (table.isPresent() && !source.isNew()) {
        try {
          facts = facts.withDelta(id, table(table.get(), checkpoint, id, stream));
        } catch (NoSuchFileException missing) {
          findings.add(
              Finding.error(
                  FindingCode.SOURCE_NOT_FOUND,
                  table.get().toString(),
                  "there is no Delta table at this place",
                  "check `sources[" + i + "]`"));
        } catch (IOException unreadable) {
          findings.add(
              table.get().isLocal()
                  ? unreadable(table.get(), unreadable)
                  : notAsked(table.get(), unreadable));
        }
      }
    }
    return facts;
  }

  /**
   * A table's facts; streams that share a source see the same. A rewind reads again what was read
   * long ago, so that the commits and files of all that is looked at.
   */
  private DeltaFacts table(Location table, Checkpoint checkpoint, String source, StreamPlan stream)
      throws IOException {
    Optional<DeltaOffset> position = position(checkpoint, source);
    String knownId = position.map(DeltaOffset::tableId).orElse("");
    String key = table + " " + knownId;
    DeltaFacts facts = surveyed.get(key);
    if (facts == null) {
      facts = tables.read(table, knownId);
      surveyed.put(key, facts);
    }
    if (stream.strategy() != Strategy.REWIND || position.isEmpty()) {
      return facts;
    }
    DeltaOffset at = position.get();
    long filesDone = at.initialSnapshot() || at.index() < 0 ? 0 : at.index() + 1;
    long from = at.initialSnapshot() ? at.version() + 1 : at.version();
    return facts.withBacklog(tables.backlog(table, facts, from, filesDone));
  }

  /** Where a checkpoint stands in the table that a source reads; empty if in none. */
  private static Optional<DeltaOffset> position(Checkpoint checkpoint, String source) {
    return checkpoint
        .committedOffsets()
        .or(checkpoint::plannedOffsets)
        .flatMap(log -> log.source(source))
        .map(line -> SourceOffsets.decode(line.raw(), Optional.empty()))
        .filter(DeltaOffset.class::isInstance)
        .map(DeltaOffset.class::cast);
  }

  private List<String> staleChecksums(Checkpoint checkpoint) throws IOException {
    List<String> stale = new ArrayList<>();
    Set<String> paths =
        checkpoint.files().stream().map(CheckpointFile::path).collect(Collectors.toSet());
    for (CheckpointFile file : checkpoint.files()) {
      if (file.isFile() && HadoopCrc.isName(file.name())) {
        String guarded = HadoopCrc.guarded(file.path());
        boolean fits =
            paths.contains(guarded)
                && (checksums == Checksums.COMPARED_LATER
                    || fits(checkpoint.location(), file.path(), guarded));
        if (!fits) {
          stale.add(file.path());
        }
      }
    }
    return stale;
  }

  private boolean fits(Location checkpoint, String checksum, String guarded) throws IOException {
    HadoopCrc.Check check = new HadoopCrc.Check(store.readAll(checkpoint.child(checksum)));
    byte[] buffer = new byte[1 << 16];
    try (InputStream in = store.open(checkpoint.child(guarded))) {
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        check.update(buffer, 0, read);
      }
    }
    return check.matches();
  }
}
