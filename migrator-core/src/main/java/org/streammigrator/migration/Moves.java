package org.streammigrator.migration;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.authoring.SourceMapping;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.embedded.PrefixMap.Rule;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;

/** What a plan moves, as rules for the paths that name it. */
public final class Moves {
  private Moves() {}

  /** The places that the user says have moved. */
  static PrefixMap data(StreamPlan stream) {
    return new PrefixMap(
        stream.rewrite().stream().map(rule -> new Rule(rule.from(), rule.to())).toList());
  }

  /**
   * Where the checkpoint itself goes, under its own name and the one that symbolic links lead to. A
   * seed may give its sources other places in it.
   */
  static PrefixMap checkpoint(StreamPlan stream) throws IOException {
    Optional<Location> to = stream.checkpoint().to();
    if (to.isEmpty()) {
      return PrefixMap.NONE;
    }
    List<Rule> rules = new ArrayList<>();
    Location from = stream.checkpoint().from();
    for (Location place : List.of(from, RealPaths.resolve(from))) {
      rules.add(new Rule(place, to.get()));
      Optional<SourceMapping> mapping =
          stream.strategy().seeds() ? mapping(stream) : Optional.empty();
      if (mapping.isPresent()) {
        List<Optional<String>> oldIds = mapping.get().oldIds();
        for (int i = 0; i < oldIds.size(); i++) {
          if (oldIds.get(i).isPresent()) {
            rules.add(
                new Rule(
                    place.child("sources/" + oldIds.get(i).get()), to.get().child("sources/" + i)));
          }
        }
      }
    }
    return new PrefixMap(rules);
  }

  /** Where the sources of a seeded query stood in the old log; empty if nothing changed. */
  static Optional<SourceMapping> mapping(StreamPlan stream) {
    List<SourcePlan> sources = stream.sources();
    if (sources.stream().allMatch(source -> source.was().isEmpty() && !source.removed())) {
      return Optional.empty();
    }
    List<Optional<String>> oldIds = new ArrayList<>();
    List<String> removed = new ArrayList<>();
    for (int i = 0; i < sources.size(); i++) {
      if (sources.get(i).removed()) {
        stream.oldId(i).ifPresent(removed::add);
      } else {
        oldIds.add(stream.oldId(i));
      }
    }
    return Optional.of(new SourceMapping(oldIds, removed));
  }

  /** Where the output of a file sink was before; empty if it is no file sink or did not move. */
  public static Optional<Location> formerOutput(StreamPlan stream, SinkPlan sink) {
    Optional<Location> now =
        sink.address().kind() == SinkKind.FILES ? sink.address().location() : Optional.empty();
    PrefixMap rules = data(stream);
    return now.flatMap(
        place ->
            rules
                .reversed()
                .moved(place)
                .filter(before -> !before.equals(place))
                .filter(before -> rules.moved(before).equals(now)));
  }
}
