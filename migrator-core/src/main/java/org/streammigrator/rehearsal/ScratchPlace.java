package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.migration.Moves;
import org.streammigrator.plan.Address;
import org.streammigrator.plan.ArchivePlan;
import org.streammigrator.plan.CheckpointPlan;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Where everything that the rehearsal of one stream writes goes.
 *
 * @param root the directory that holds it all; nothing else is in it
 */
public record ScratchPlace(Location root) {
  public ScratchPlace {
    requireNonNull(root, "root");
  }

  /** The journal, the lock and what else the plan's own journal would hold. */
  public Location journal() {
    return root.child("journal");
  }

  /** The new checkpoint. */
  public Location checkpoint() {
    return root.child("checkpoint");
  }

  /**
   * Where the rehearsed query writes to instead of a sink.
   *
   * @param index the sink's place in the plan, from 0
   */
  public Location sink(int index) {
    return root.child(index == 0 ? "sink" : "sink-" + index);
  }

  /**
   * The stream with all that it writes in this place: the new checkpoint and the archive. Its sinks
   * stay as they are, since they are asked what they have; a file sink that moves is asked at its
   * old place, so that no log is written for it. It waits for no other stream.
   */
  public StreamPlan mapped(StreamPlan stream, Store store) throws IOException {
    List<SinkPlan> sinks = new ArrayList<>();
    for (SinkPlan sink : stream.sink()) {
      sinks.add(unmoved(stream, sink, store));
    }
    return new StreamPlan(
        stream.name(),
        stream.strategy(),
        new CheckpointPlan(stream.checkpoint().from(), Optional.of(checkpoint())),
        stream.foreach(),
        stream.identity(),
        stream.batch(),
        stream.copy(),
        stream.repair(),
        stream.sources(),
        sinks,
        stream.changes(),
        stream.query(),
        stream.replay(),
        stream.backfill(),
        stream.rewrite(),
        // The real query runs on, and no job is told of a scratch copy.
        Optional.empty(),
        Optional.empty(),
        stream.rehearse(),
        stream.checks(),
        stream.accept(),
        stream.conf(),
        List.of(),
        stream
            .archive()
            .map(
                archive ->
                    new ArchivePlan(
                        root.child("archive"), archive.format(), archive.releaseAfter())),
        stream.runner());
  }

  private static SinkPlan unmoved(StreamPlan stream, SinkPlan sink, Store store)
      throws IOException {
    Optional<Location> before = Moves.formerOutput(stream, sink);
    if (before.isEmpty()
        || store
            .stat(before.get().child(FileSinks.LOG))
            .filter(StoreEntry::isDirectory)
            .isEmpty()) {
      return sink;
    }
    return new SinkPlan(
        new Address<>(SinkKind.FILES, before.get().toString(), before),
        sink.topic(),
        sink.keys(),
        sink.order(),
        sink.txnAppId(),
        sink.options());
  }
}
