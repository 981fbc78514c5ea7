package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.SourcePosition;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Which streams read what other streams of a plan write: the place or the name that the plan gives
 * to a sink and to a source is the same, or the id of a Delta sink stands in the old checkpoint of
 * the reader. Says where {@code after} asks for the other way round.
 */
public final class DataFlow {
  private final DeltaTables tables;

  public DataFlow(Store store) {
    this.tables = new DeltaTables(requireNonNull(store, "store"));
  }

  /** The same streams, with a warning at each that waits for one that reads what it writes. */
  public List<StreamItinerary> checked(List<StreamItinerary> streams) {
    if (streams.stream().allMatch(one -> one.stream().after().isEmpty())) {
      return streams;
    }
    Map<String, StreamPlan> byName = new LinkedHashMap<>();
    streams.forEach(one -> byName.put(one.name(), one.stream()));
    Map<String, Set<String>> readers = readers(streams);
    List<StreamItinerary> checked = new ArrayList<>();
    for (StreamItinerary writer : streams) {
      Set<String> waitsFor = waitsFor(writer.stream(), byName);
      List<Finding> against = new ArrayList<>();
      if (!waitsFor.isEmpty()) {
        Map<String, String> through = new LinkedHashMap<>();
        for (SinkPlan sink : writer.stream().sink()) {
          for (String thing : written(sink)) {
            readers
                .getOrDefault(thing, Set.of())
                .forEach(reader -> through.putIfAbsent(reader, sink.address().text()));
          }
        }
        through.forEach(
            (reader, sink) -> {
              if (waitsFor.contains(reader)) {
                against.add(against(writer.name(), reader, sink));
              }
            });
      }
      checked.add(against.isEmpty() ? writer : writer.with(List.of(), List.of(), against));
    }
    return checked;
  }

  private static Finding against(String writer, String reader, String sink) {
    return Finding.warning(
        FindingCode.ORDER_AGAINST_DATA,
        "after",
        "it waits for "
            + reader
            + ", which reads what it writes ("
            + sink
            + "): "
            + reader
            + " is moved first and then stands still until "
            + writer
            + " has moved, too",
        "let " + reader + " wait for " + writer + " instead, unless this order is meant");
  }

  /** The names of the streams that read a thing. */
  private static Map<String, Set<String>> readers(List<StreamItinerary> streams) {
    Map<String, Set<String>> readers = new HashMap<>();
    for (StreamItinerary one : streams) {
      Set<String> things = new LinkedHashSet<>();
      for (SourcePlan source : one.stream().sources()) {
        if (!source.removed()) {
          source
              .address()
              .ifPresent(
                  address ->
                      things.add(
                          thing(address.kind().label(), address.location(), address.text())));
        }
      }
      if (one.resume() != null) {
        for (SourcePosition source : one.resume().sources()) {
          String id = source.position().path("reservoirId").asText("");
          if (!id.isEmpty()) {
            things.add("table " + id);
          }
        }
      }
      things.forEach(
          thing -> readers.computeIfAbsent(thing, key -> new LinkedHashSet<>()).add(one.name()));
    }
    return readers;
  }

  private List<String> written(SinkPlan sink) {
    List<String> things = new ArrayList<>();
    Optional<Location> place = sink.address().location();
    things.add(thing(sink.address().kind().label(), place, sink.address().text()));
    if (sink.address().kind() == SinkKind.DELTA && place.isPresent()) {
      try {
        tables.read(place.get()).tableId().ifPresent(id -> things.add("table " + id));
      } catch (IOException unknown) {
        // What cannot be read is said where the sink is surveyed.
        return things;
      }
    }
    return things;
  }

  private static String thing(String kind, Optional<Location> place, String text) {
    return kind + " " + place.map(Location::toString).orElse(text);
  }

  /** All that a stream waits for, directly or not. */
  private static Set<String> waitsFor(StreamPlan stream, Map<String, StreamPlan> byName) {
    Set<String> known = new LinkedHashSet<>();
    Deque<StreamPlan> open = new ArrayDeque<>(List.of(stream));
    while (!open.isEmpty()) {
      for (String name : open.pop().after()) {
        if (byName.containsKey(name) && known.add(name)) {
          open.push(byName.get(name));
        }
      }
    }
    return known;
  }
}
