package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OperatorMetadata;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.Resume;
import org.streammigrator.position.SourcePosition;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Reads the structure of streams out of the world. */
public final class Structures {
  private final Store store;
  private final Journal journal;
  private final DeltaTables tables;

  public Structures(Store store, Journal journal) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.tables = new DeltaTables(store);
  }

  /** A stream's structure as it is now. */
  public Structure of(StreamItinerary itinerary) throws IOException {
    StreamPlan stream = itinerary.stream();
    Optional<Checkpoint> checkpoint = itinerary.checkpoint().or(() -> read(stream));
    Resume resume = itinerary.resume();
    Optional<OffsetHeader> header = checkpoint.flatMap(Checkpoint::restartHeader);
    return new Structure(
        stream.name(),
        stream.checkpoint().from().toString(),
        stream.checkpoint().to().map(Location::toString).orElse(null),
        checkpoint.flatMap(Checkpoint::queryId).orElse(null),
        resume == null ? Map.of() : sources(resume),
        header.map(OffsetHeader::conf).orElse(Map.of()),
        checkpoint.map(Structures::operators).orElse(Map.of()),
        sinks(stream),
        target(itinerary),
        resume == null ? null : resume.batch(),
        checkpoint.map(read -> Checkpoint.fingerprint(read.files())).orElse(null));
  }

  private Optional<Checkpoint> read(StreamPlan stream) {
    try {
      return Optional.of(new CheckpointReader(store).read(stream.checkpoint().from()));
    } catch (IOException notThere) {
      return Optional.empty();
    }
  }

  private static Map<String, String> sources(Resume resume) {
    Map<String, String> sources = new TreeMap<>();
    for (SourcePosition source : resume.sources()) {
      String table =
          source.position() == null
              ? ""
              : source
                  .position()
                  .path("reservoirId")
                  .asText(source.position().path("tableId").asText(""));
      sources.put(source.id(), source.type().label() + (table.isEmpty() ? "" : " table " + table));
    }
    return sources;
  }

  private static Map<String, String> operators(Checkpoint checkpoint) {
    Map<String, String> operators = new TreeMap<>();
    for (OperatorState operator : checkpoint.operators()) {
      operators.put(
          Integer.toString(operator.operator()),
          operator.metadata().readable().map(OperatorMetadata::name).orElse("without a name")
              + " in "
              + operator.provider().name().toLowerCase(java.util.Locale.ROOT)
              + " stores, "
              + operator.partitions().size()
              + " partitions");
    }
    return operators;
  }

  private Map<String, String> sinks(StreamPlan stream) {
    Map<String, String> sinks = new TreeMap<>();
    for (SinkPlan sink : stream.sink()) {
      String id = "";
      if (sink.address().kind() == SinkKind.DELTA && SinkSurvey.keyedByBatch(sink)) {
        try {
          id =
              tables
                  .read(sink.address().location().orElseThrow())
                  .tableId()
                  .map(table -> " table " + table)
                  .orElse("");
        } catch (IOException notThere) {
          id = " without a table";
        }
      }
      sinks.put(sink.address().text(), sink.address().kind().label() + id);
    }
    return sinks;
  }

  private String target(StreamItinerary itinerary) throws IOException {
    Optional<Location> to = itinerary.stream().checkpoint().to();
    if (itinerary.done() || journal.last(itinerary.name(), "resolved").isPresent()) {
      return Structure.OURS;
    }
    Optional<StoreEntry> there = to.isEmpty() ? Optional.empty() : store.stat(to.get());
    if (there.isEmpty()) {
      return "absent";
    }
    return there.get().isDirectory() && store.list(to.get()).isEmpty() ? "empty" : "occupied";
  }
}
