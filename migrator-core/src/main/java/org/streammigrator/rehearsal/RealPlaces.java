package org.streammigrator.rehearsal;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What lay at the real places of a stream before its query was rehearsed, so that what came there
 * meanwhile is noticed. The command of a rehearsal is a program like any other, and nothing keeps
 * it from writing where it should not.
 */
public final class RealPlaces {
  private static final int MOST_NAMED = 3;

  private final Store store;
  private final StreamPlan stream;
  private final Map<Location, TreeSet<String>> before;

  private RealPlaces(Store store, StreamPlan stream, Map<Location, TreeSet<String>> before) {
    this.store = store;
    this.stream = stream;
    this.before = before;
  }

  /**
   * Looks at the places.
   *
   * @param stream the stream as the plan has it, with its real target and sinks
   * @throws IOException if a place is there and cannot be listed
   */
  public static RealPlaces look(Store store, StreamPlan stream) throws IOException {
    requireNonNull(store, "store");
    Map<Location, TreeSet<String>> before = new LinkedHashMap<>();
    for (Location place : places(stream)) {
      before.put(place, names(store, place));
    }
    return new RealPlaces(store, stream, before);
  }

  /**
   * What came there since.
   *
   * @return an error for the new checkpoint, which nobody else writes; warnings for the old one and
   *     the sinks, into which the old query may still write
   */
  List<Finding> changes() throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (Map.Entry<Location, TreeSet<String>> place : before.entrySet()) {
      TreeSet<String> came = names(store, place.getKey());
      came.removeAll(place.getValue());
      if (came.isEmpty()) {
        continue;
      }
      String what =
          place.getKey()
              + " got "
              + String.join(", ", came.stream().limit(MOST_NAMED).toList())
              + (came.size() > MOST_NAMED ? " and " + (came.size() - MOST_NAMED) + " more" : "")
              + " while the query was rehearsed";
      findings.add(
          stream.checkpoint().to().filter(place.getKey()::equals).isPresent()
              ? Finding.error(
                  FindingCode.REHEARSAL_FAILED,
                  stream.name(),
                  what + ", and it is where the new checkpoint goes",
                  "let the command take its checkpoint from MIGRATOR_CHECKPOINT, and remove what it"
                      + " left there")
              : Finding.warning(
                  FindingCode.TWO_WRITERS_SUSPECTED,
                  stream.name(),
                  what,
                  "if the old query runs, it wrote that; if not, the command did: let it take its"
                      + " places from MIGRATOR_CHECKPOINT and MIGRATOR_SINK"));
    }
    return findings;
  }

  /** Directories in which a file comes with every batch, or every commit. */
  private static List<Location> places(StreamPlan stream) {
    List<Location> places = new ArrayList<>();
    stream.checkpoint().to().ifPresent(places::add);
    places.add(stream.checkpoint().from().child("offsets"));
    places.add(stream.checkpoint().from().child("commits"));
    for (SinkPlan sink : stream.sink()) {
      sink.address()
          .location()
          .ifPresent(
              place -> {
                places.add(place);
                places.add(place.child("_delta_log"));
                places.add(place.child(FileSinks.LOG));
                places.add(place.child("metadata"));
              });
    }
    return places;
  }

  private static TreeSet<String> names(Store store, Location place) throws IOException {
    TreeSet<String> names = new TreeSet<>();
    try {
      for (StoreEntry entry : store.list(place)) {
        names.add(entry.location().name());
      }
    } catch (NoSuchFileException | NotDirectoryException nothing) {
      // What is not there holds nothing.
    }
    return names;
  }
}
