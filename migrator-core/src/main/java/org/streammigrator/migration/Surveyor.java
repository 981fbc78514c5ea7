package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.HadoopCrc;
import org.streammigrator.checkpoint.SourceOffset;
import org.streammigrator.checkpoint.SourceOffsets;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.CopyScope;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourceKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Reads from the world all that a stream's migration depends on; writes nothing. */
public final class Surveyor {
  private final Store store;
  private final DeltaTables tables;
  private final FileSinks fileSinks;
  private final Map<String, DeltaFacts> surveyed = new HashMap<>();

  public Surveyor(Store store) {
    this.store = requireNonNull(store, "store");
    this.tables = new DeltaTables(store);
    this.fileSinks = new FileSinks(store);
  }

  /**
   * Surveys one stream. What is wrong with it is in the findings.
   *
   * @throws IOException if storage fails
   */
  public StreamSurvey survey(StreamPlan stream) throws IOException {
    List<Finding> findings = new ArrayList<>(Unavailable.of(stream));
    Location from = stream.checkpoint().from();
    Optional<Location> to = stream.checkpoint().to();
    boolean local = local("checkpoint.from", from, findings);
    if (to.isPresent() && local("checkpoint.to", to.get(), findings) && local) {
      places(from, to.get(), findings);
    }
    if (stream.archive().isPresent()) {
      archivePlace(stream.archive().get().to(), from, to, findings);
    }
    Optional<Checkpoint> checkpoint = local ? read(from, findings) : Optional.empty();
    Facts facts = Facts.NONE;
    boolean keyed = !stream.sink().isEmpty();
    if (checkpoint.isPresent()) {
      facts = sources(stream, checkpoint.get(), facts, findings);
      facts = sinks(stream, checkpoint.get(), facts, findings);
      for (SinkPlan sink : stream.sink()) {
        keyed &= keyedByBatch(sink);
      }
    }
    List<String> stale =
        checkpoint.isPresent() && stream.copy() == CopyScope.ALL
            ? staleChecksums(checkpoint.get())
            : List.of();
    return new StreamSurvey(stream, checkpoint, facts, keyed, stale, findings);
  }

  private static boolean local(String key, Location location, List<Finding> findings) {
    if (location.isLocal()) {
      return true;
    }
    findings.add(
        Unavailable.refused(
            key,
            "a place that is not local (" + location + ")",
            key.equals("checkpoint.from")
                ? "copy it to a local path, and name that"
                : "name a local path, and copy from there"));
    return false;
  }

  private void places(Location from, Location to, List<Finding> findings) throws IOException {
    Location realFrom = RealPaths.resolve(from);
    Location realTo = RealPaths.resolve(to);
    if (realFrom.equals(realTo)) {
      findings.add(
          Finding.error(
              FindingCode.SAME_LOCATION,
              to.toString(),
              "the new checkpoint would be the old one" + through(from, to, realFrom),
              "give it another place"));
      return;
    }
    if (realTo.isInside(realFrom) || realFrom.isInside(realTo)) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              to.toString(),
              "one of the two checkpoints would lie inside the other",
              "give the new one a place beside the old one"));
      return;
    }
    Optional<StoreEntry> there = store.stat(to);
    if (there.isPresent() && !(there.get().isDirectory() && store.list(to).isEmpty())) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_NOT_EMPTY,
              to.toString(),
              there.get().isDirectory()
                  ? "the target is not empty, and this plan did not fill it"
                  : "the target is a file",
              "choose a place that does not exist; nothing is ever overwritten"));
    }
    fileAbove(to).ifPresent(findings::add);
  }

  private Optional<Finding> fileAbove(Location to) throws IOException {
    for (Optional<Location> above = to.parent(); above.isPresent(); above = above.get().parent()) {
      Optional<StoreEntry> entry = store.stat(above.get());
      if (entry.isPresent()) {
        return entry.get().isDirectory()
            ? Optional.empty()
            : Optional.of(
                Finding.error(
                    FindingCode.TARGET_NOT_EMPTY,
                    above.get().toString(),
                    "a file stands where the target needs a directory",
                    "choose another place"));
      }
    }
    return Optional.empty();
  }

  private static String through(Location from, Location to, Location real) {
    return from.equals(to) ? "" : " (both are " + real + ")";
  }

  private static void archivePlace(
      Location archive, Location from, Optional<Location> to, List<Finding> findings)
      throws IOException {
    if (!local("archive.to", archive, findings)) {
      return;
    }
    Location real = RealPaths.resolve(archive);
    Location realFrom = RealPaths.resolve(from);
    if (real.equals(realFrom) || real.isInside(realFrom)) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              archive.toString(),
              "the archive would lie inside the checkpoint that it packs",
              "give archives a place of their own"));
    }
    if (to.isPresent()) {
      Location realTo = RealPaths.resolve(to.get());
      if (real.equals(realTo) || real.isInside(realTo)) {
        findings.add(
            Finding.error(
                FindingCode.TARGET_NOT_EMPTY,
                archive.toString(),
                "the archive would lie inside the new checkpoint, which must be empty until then",
                "give archives a place of their own"));
      }
    }
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
              .flatMap(address -> address.location())
              .filter(Location::isLocal);
      String id = source.was().orElse(Integer.toString(i));
      if (source.address().isPresent() && table.isEmpty() && !source.isNew()) {
        findings.add(
            Finding.info(
                FindingCode.NOT_AVAILABLE,
                "sources[" + i + "]",
                "this version asks local Delta tables only; what "
                    + source.address().get().kind().label()
                    + " still holds is not checked",
                "check yourself that retention has not removed what is still to be read"));
      }
      if (table.isPresent() && !source.isNew()) {
        try {
          facts = facts.withDelta(id, table(table.get(), tableId(checkpoint, id)));
        } catch (NoSuchFileException missing) {
          findings.add(
              Finding.error(
                  FindingCode.SOURCE_NOT_FOUND,
                  table.get().toString(),
                  "there is no Delta table at this place",
                  "check `sources[" + i + "]`"));
        }
      }
    }
    return facts;
  }

  /** A table's facts; streams that share a source see the same. */
  private DeltaFacts table(Location table, String knownId) throws IOException {
    String key = table + " " + knownId;
    DeltaFacts facts = surveyed.get(key);
    if (facts == null) {
      facts = tables.read(table, knownId);
      surveyed.put(key, facts);
    }
    return facts;
  }

  /**
   * The id by which a checkpoint knows the table that a source reads; empty text if it does not.
   */
  private static String tableId(Checkpoint checkpoint, String source) {
    return checkpoint
        .committedOffsets()
        .or(checkpoint::plannedOffsets)
        .flatMap(log -> log.source(source))
        .map(line -> SourceOffsets.decode(line.raw(), Optional.empty()))
        .filter(SourceOffset.Delta.class::isInstance)
        .map(offset -> ((SourceOffset.Delta) offset).tableId())
        .orElse("");
  }

  private Facts sinks(StreamPlan stream, Checkpoint checkpoint, Facts known, List<Finding> findings)
      throws IOException {
    List<Long> records = new ArrayList<>();
    int keyed = 0;
    for (SinkPlan sink : stream.sink()) {
      if (!keyedByBatch(sink)) {
        if (sink.address().kind().isPath()) {
          findings.add(
              Finding.info(
                  FindingCode.NOT_AVAILABLE,
                  "sink",
                  "this version asks Delta tables and file sinks on local paths only; what "
                      + sink.address().text()
                      + " has recorded is not known",
                  "look yourself whether it has the newest batch if one is pending"));
        }
        continue;
      }
      keyed++;
      Location place = sink.address().location().orElseThrow();
      try {
        OptionalLong last = lastBatch(sink, place, checkpoint);
        last.ifPresent(records::add);
      } catch (NoSuchFileException missing) {
        if (stream.identity().orElse(Identity.KEEP) == Identity.KEEP) {
          findings.add(
              Finding.error(
                  FindingCode.SINK_NOT_FOUND,
                  place.toString(),
                  "the query goes on into this sink, and nothing is there",
                  "check `sink`; for another sink say identity: new"));
        }
      }
    }
    if (records.isEmpty() || checkpoint.queryId().isEmpty()) {
      return known;
    }
    long lowest = records.stream().mapToLong(Long::longValue).min().orElseThrow();
    long highest = records.stream().mapToLong(Long::longValue).max().orElseThrow();
    if (lowest != highest || records.size() < keyed) {
      findings.add(
          Finding.error(
              FindingCode.SINK_BEHIND,
              "sink",
              "the sinks do not agree on the last batch: the records go from "
                  + (records.size() < keyed ? "none" : lowest)
                  + " to "
                  + highest,
              "let the old query run until all of its sinks have the same batch"));
    }
    boolean asExpected =
        highest <= checkpoint.lastPlanned().orElse(-1)
            && lowest >= checkpoint.lastCommitted().orElse(-1);
    if (keyed < stream.sink().size() && !checkpoint.pending().isEmpty() && asExpected) {
      findings.add(
          Finding.info(
              FindingCode.NOT_AVAILABLE,
              "sink",
              "of "
                  + stream.sink().size()
                  + " sinks "
                  + keyed
                  + (keyed == 1 ? " has" : " have")
                  + " a record of batches that can be read (at batch "
                  + lowest
                  + "), so that nothing tells whether the pending batch is in all of them",
              "look into the other sinks for what the pending batch wrote"));
      return known;
    }
    return known.withSinkTxn(checkpoint.queryId().get(), lowest);
  }

  private OptionalLong lastBatch(SinkPlan sink, Location place, Checkpoint checkpoint)
      throws IOException {
    return switch (sink.address().kind()) {
      case DELTA -> {
        Optional<String> id = sink.txnAppId().or(checkpoint::queryId);
        if (id.isEmpty()) {
          yield OptionalLong.empty();
        }
        yield tables.lastTransaction(place, id.get());
      }
      case FILES -> fileSinks.lastBatch(place);
      case ICEBERG, KAFKA, CUSTOM -> OptionalLong.empty();
    };
  }

  private static boolean keyedByBatch(SinkPlan sink) {
    boolean local = sink.address().location().filter(Location::isLocal).isPresent();
    return switch (sink.address().kind()) {
      case DELTA, FILES -> local;
      case ICEBERG, KAFKA, CUSTOM -> false;
    };
  }

  private List<String> staleChecksums(Checkpoint checkpoint) throws IOException {
    List<String> stale = new ArrayList<>();
    Set<String> paths =
        checkpoint.files().stream().map(CheckpointFile::path).collect(Collectors.toSet());
    for (CheckpointFile file : checkpoint.files()) {
      String name = file.name();
      if (!file.isFile() || !name.startsWith(".") || !name.endsWith(".crc")) {
        continue;
      }
      String directory = file.path().substring(0, file.path().length() - name.length());
      String guarded = directory + name.substring(1, name.length() - ".crc".length());
      boolean valid =
          paths.contains(guarded)
              && HadoopCrc.matches(
                  store.readAll(checkpoint.location().child(file.path())),
                  store.readAll(checkpoint.location().child(guarded)));
      if (!valid) {
        stale.add(file.path());
      }
    }
    return stale;
  }
}
