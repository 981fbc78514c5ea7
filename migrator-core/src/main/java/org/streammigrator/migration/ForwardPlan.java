package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.plan.CheckpointPlan;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.QueryPlan;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;

/**
 * The way back once the new query has run: a checkpoint for the old code at the position of the new
 * one, which takes the place that the old checkpoint had in the stream's plan.
 */
public final class ForwardPlan {
  private ForwardPlan() {}

  /**
   * The plan of the way back. The batch numbers go on from the new checkpoint, so that no sink that
   * has seen them skips one; a stream that changed its id gets another one for the same reason.
   *
   * @param stream the plan of the way there
   * @param to where the checkpoint for the old code goes
   * @param oldState whether the old query keeps state
   * @throws IllegalArgumentException if there is no such way; the message says why
   */
  public static StreamPlan of(StreamPlan stream, Location to, boolean oldState) {
    if (stream.strategy().seeds() && oldState) {
      throw new IllegalArgumentException(
          stream.name()
              + ": the old query keeps state, which the new checkpoint was made without; there is"
              + " nothing to carry it from. Replay the old query, or roll back without --forward");
    }
    boolean isSameQuery =
        stream.strategy() == Strategy.RELOCATE || stream.strategy() == Strategy.REWIND;
    Optional<Identity> identity = isSameQuery ? Optional.empty() : stream.identity();
    return new StreamPlan(
        stream.name(),
        isSameQuery
            ? Strategy.RELOCATE
            : stream.strategy().seeds() ? Strategy.SEED : stream.strategy(),
        new CheckpointPlan(stream.checkpoint().to().orElseThrow(), Optional.of(to)),
        stream.foreach(),
        identity,
        isSameQuery ? Optional.empty() : stream.batch(),
        stream.copy(),
        stream.repair(),
        sourcesBack(stream),
        stream.sink(),
        List.of(),
        // The old code's operators are not those that the plan describes.
        stream.strategy().seeds()
            ? new QueryPlan(Optional.empty(), List.of(), Optional.empty(), Optional.empty())
            : stream.query(),
        stream.replay(),
        stream.backfill(),
        stream.rewrite(),
        Optional.empty(),
        Optional.empty(),
        stream.rehearse(),
        stream.checks(),
        stream.accept(),
        stream.conf(),
        List.of(),
        Optional.empty(),
        stream.runner());
  }

  /** The old query's sources, each with its place in the new one; what was added is removed. */
  static List<SourcePlan> sourcesBack(StreamPlan stream) {
    List<SourcePlan> sources = stream.sources();
    if (sources.stream().allMatch(source -> source.was().isEmpty() && !source.removed())) {
      return sources;
    }
    Map<Integer, SourcePlan> back = new TreeMap<>();
    List<SourcePlan> gone = new ArrayList<>();
    int place = 0;
    for (int i = 0; i < sources.size(); i++) {
      SourcePlan source = sources.get(i);
      if (source.removed()) {
        throw new IllegalArgumentException(
            stream.name()
                + ": the new query does not read source "
                + source.was().orElse("")
                + " of the old one, so that nothing says where the old one would go on");
      }
      String here = Integer.toString(place++);
      Optional<String> old = stream.oldId(i);
      if (old.isEmpty()) {
        gone.add(with(source, here, true));
      } else if (!old.get().matches("[0-9]{1,6}")) {
        throw new IllegalArgumentException(
            stream.name() + ": sources with names are not mapped back by this version");
      } else {
        back.put(Integer.parseInt(old.get()), with(source, here, false));
      }
    }
    List<SourcePlan> all = new ArrayList<>(back.values());
    all.addAll(gone);
    return all;
  }

  private static SourcePlan with(SourcePlan source, String was, boolean removed) {
    return new SourcePlan(
        source.address(),
        source.name(),
        source.topic(),
        source.eventTime(),
        Optional.of(was),
        removed,
        source.translate(),
        source.options());
  }
}
