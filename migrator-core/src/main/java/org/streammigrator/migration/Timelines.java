package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.facts.Facts;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Reads the timelines of a stream's sources from the logs of both checkpoints. */
final class Timelines {
  private static final int MOST_LANES = 256;

  private final CheckpointReader reader;
  private final int mostBatches;

  /**
   * Over a store.
   *
   * @param mostBatches how many batches' plans are read of each checkpoint, 2 or more; what lies
   *     between them is left out
   */
  Timelines(Store store, int mostBatches) {
    this.reader = new CheckpointReader(requireNonNull(store, "store"));
    this.mostBatches = mostBatches;
  }

  /**
   * The timelines of a stream.
   *
   * @param timelines one a source
   * @param old how large the old checkpoint is; null if it could not be listed
   * @param notes why something of them is not known, in sentences
   */
  record Known(List<Timeline> timelines, StreamReport.Size old, List<String> notes) {}

  /** What is known of a source while both checkpoints are read. */
  private static final class Source {
    private String type = "";
    private final Map<String, Lane> lanes = new LinkedHashMap<>();
  }

  /** The points of a partition. */
  private record Lane(List<Timeline.Point> old, List<Timeline.Point> now) {}

  /**
   * Reads both logs.
   *
   * @param cut the batch at whose end the old query's work ends; empty if nothing was applied
   * @param written the newest batch that the new checkpoint was written with; empty if there is no
   *     new checkpoint
   */
  Known of(StreamPlan stream, OptionalLong cut, OptionalLong written) {
    Map<String, Source> sources = new LinkedHashMap<>();
    List<String> notes = new ArrayList<>();
    Optional<Checkpoint> old = read(stream.checkpoint().from(), "the old checkpoint", notes);
    Optional<Checkpoint> now =
        written.isEmpty()
            ? Optional.empty()
            : read(stream.checkpoint().to().orElseThrow(), "the new checkpoint", notes);
    boolean isSampled = false;
    if (old.isPresent()) {
      SortedSet<Long> batches = old.get().offsets().batches();
      isSampled = batches.size() > mostBatches;
      for (long batch : chosen(batches, cut)) {
        add(old.get(), batch, id -> id, true, sources, notes);
      }
    }
    SortedSet<Long> ran = new TreeSet<>();
    if (now.isPresent()) {
      boolean isReplay = stream.strategy() == Strategy.REPLAY;
      long before = isReplay ? written.getAsLong() - 1 : cut.orElse(-1);
      ran.addAll(now.get().offsets().after(before));
      ran.removeIf(batch -> isPlanOfTheOldOne(now.get(), batch, written.getAsLong()));
      isSampled |= ran.size() > mostBatches;
      Map<String, String> oldIds = new TreeMap<>();
      sources.keySet().forEach(id -> oldIds.put(stream.newId(id), id));
      for (long batch : chosen(ran, OptionalLong.empty())) {
        add(now.get(), batch, id -> oldIds.getOrDefault(id, "new " + id), false, sources, notes);
      }
    }
    Timeline.Batches before = old.flatMap(o -> batches(o.offsets().batches())).orElse(null);
    Timeline.Batches after = batches(ran).orElse(null);
    List<Timeline> timelines = new ArrayList<>();
    for (Map.Entry<String, Source> source : sources.entrySet()) {
      timelines.add(
          new Timeline(
              source.getKey(),
              source.getValue().type,
              before,
              cut.isPresent() ? (Long) cut.getAsLong() : null,
              after,
              isSampled,
              lanes(source.getValue()),
              Math.max(0, source.getValue().lanes.size() - MOST_LANES)));
    }
    return new Known(timelines, old.map(Timelines::size).orElse(null), notes);
  }

  private static StreamReport.Size size(Checkpoint checkpoint) {
    List<CheckpointFile> files =
        checkpoint.files().stream().filter(CheckpointFile::isFile).toList();
    return new StreamReport.Size(
        files.size(), files.stream().mapToLong(CheckpointFile::size).sum());
  }

  /** A pending batch that was carried along, and that the new query has not run yet. */
  private static boolean isPlanOfTheOldOne(Checkpoint now, long batch, long written) {
    return batch <= written && !now.commits().batches().contains(batch);
  }

  private static List<Timeline.Lane> lanes(Source source) {
    return source.lanes.entrySet().stream()
        .limit(MOST_LANES)
        .map(lane -> new Timeline.Lane(lane.getKey(), lane.getValue().old(), lane.getValue().now()))
        .toList();
  }

  private Optional<Checkpoint> read(Location place, String what, List<String> notes) {
    try {
      return Optional.of(reader.read(place));
    } catch (NoSuchFileException gone) {
      notes.add(what + " is not at " + place + " any more, so that its batches are not known");
    } catch (IOException unreadable) {
      notes.add(what + " could not be read: " + unreadable.getMessage());
    }
    return Optional.empty();
  }

  /** At most so many batches: the first, the last, the cut, and others at even distances. */
  private SortedSet<Long> chosen(SortedSet<Long> batches, OptionalLong cut) {
    if (batches.size() <= mostBatches) {
      return batches;
    }
    List<Long> all = new ArrayList<>(batches);
    SortedSet<Long> chosen = new TreeSet<>();
    for (int i = 0; i < mostBatches; i++) {
      chosen.add(all.get((int) ((long) i * (all.size() - 1) / (mostBatches - 1))));
    }
    if (cut.isPresent() && batches.contains(cut.getAsLong())) {
      chosen.add(cut.getAsLong());
    }
    return chosen;
  }

  private void add(
      Checkpoint checkpoint,
      long batch,
      UnaryOperator<String> oldId,
      boolean isOld,
      Map<String, Source> sources,
      List<String> notes) {
    Optional<OffsetLog> plan;
    try {
      plan = reader.offsets(checkpoint.location(), batch).readable();
    } catch (IOException unreadable) {
      plan = Optional.empty();
    }
    if (plan.isEmpty()) {
      notes.add("batch " + batch + " of " + checkpoint.location() + " could not be read");
      return;
    }
    // Not one for all batches: it remembers every line, and one may have megabytes.
    ResumePositions positions = new ResumePositions(checkpoint, Facts.NONE, Map.of());
    boolean isCommitted = checkpoint.commits().batches().contains(batch);
    for (OffsetLog.SourceLine line : plan.get().sources()) {
      SourceOffset offset = positions.decode(line.id(), line.raw());
      Source source = sources.computeIfAbsent(oldId.apply(line.id()), id -> new Source());
      source.type =
          source.type.isEmpty() || offset.kind() != SourceKind.NONE
              ? offset.kind().label()
              : source.type;
      LanePositions.of(offset, positions.at(line).consumedThrough())
          .forEach(
              (name, position) -> {
                Lane lane =
                    source.lanes.computeIfAbsent(
                        name, key -> new Lane(new ArrayList<>(), new ArrayList<>()));
                (isOld ? lane.old() : lane.now())
                    .add(
                        new Timeline.Point(batch, isCommitted, position.value(), position.words()));
              });
    }
  }

  private static Optional<Timeline.Batches> batches(SortedSet<Long> batches) {
    return batches.isEmpty()
        ? Optional.empty()
        : Optional.of(new Timeline.Batches(batches.first(), batches.last(), batches.size()));
  }
}
