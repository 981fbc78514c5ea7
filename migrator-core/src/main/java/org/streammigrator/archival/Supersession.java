package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.migration.Journal;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;

/**
 * That a checkpoint is superseded: a journal says that a migration went on from it, and that it
 * finished and was not rolled back since.
 *
 * @param checkpoint the old checkpoint
 * @param successor the new one
 * @param stream the stream's name in its plan
 * @param journal where that is said
 * @param finished when the new one had its final name
 * @param oldFingerprint what the old one looked like then, see {@link
 *     org.streammigrator.checkpoint.Checkpoint#fingerprint}
 * @param newFingerprint what was written, see {@link
 *     org.streammigrator.copy.Manifest#fingerprint()}
 */
public record Supersession(
    Location checkpoint,
    Location successor,
    String stream,
    Location journal,
    Instant finished,
    String oldFingerprint,
    String newFingerprint) {

  public Supersession {
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(successor, "successor");
    requireNonNull(finished, "finished");
  }

  /**
   * What a journal says is superseded, in the order of its streams; what it says unreadably is left
   * out.
   *
   * @throws NoJournalException if there is no journal
   */
  public static List<Supersession> read(Store store, Location directory) throws IOException {
    Journal journal = Journal.open(store, directory, Clock.systemUTC());
    if (journal.entries().isEmpty()) {
      throw new NoJournalException(directory);
    }
    Set<String> streams = new LinkedHashSet<>();
    journal.entries().forEach(entry -> streams.add(entry.path("stream").asText()));
    List<Supersession> found = new ArrayList<>();
    for (String stream : streams) {
      of(journal, stream).ifPresent(found::add);
    }
    return found;
  }

  private static Optional<Supersession> of(Journal journal, String stream) {
    List<JsonNode> entries = journal.since(stream);
    Optional<JsonNode> resolved = journal.last(stream, "resolved");
    Optional<JsonNode> staged = journal.last(stream, "staged");
    Optional<JsonNode> finished = journal.last(stream, "finished");
    if (resolved.isEmpty()
        || staged.isEmpty()
        || finished.isEmpty()
        || entries.indexOf(finished.get()) < entries.indexOf(staged.get())
        || journal.last(stream, "rolling-back").isPresent()) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new Supersession(
              place(resolved.get(), "from"),
              place(resolved.get(), "to"),
              stream,
              journal.directory(),
              Instant.parse(finished.get().path("at").asText()),
              resolved.get().path("oldFingerprint").asText(),
              staged.get().path("fingerprint").asText()));
    } catch (IllegalArgumentException | DateTimeException unreadable) {
      return Optional.empty();
    }
  }

  private static Location place(JsonNode entry, String key) {
    return Location.parse(entry.path(key).asText(), Path.of("/"));
  }

  /** Whether it is about a place, whatever symbolic links lead there. */
  boolean isOf(Location place) throws IOException {
    return checkpoint.equals(place)
        || RealPaths.resolve(checkpoint).equals(RealPaths.resolve(place));
  }
}
