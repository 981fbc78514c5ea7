package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What an apply has done, in a directory of numbered JSON files ({@code 000001.json}, ...), each
 * written once. A file that a crash cut short is skipped: what it would have said is asked of the
 * world again.
 *
 * <p>Every entry has {@code schema} ({@code migrator/journal/1}), {@code at} (ISO instant), {@code
 * event} and, where it is about a stream, {@code stream}.
 */
public final class Journal {
  private static final String SCHEMA = "migrator/journal/1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;
  private final Location directory;
  private final Clock clock;
  private long next;

  private Journal(Store store, Location directory, Clock clock, long next) {
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.next = next;
  }

  /** A journal for reading and writing; nothing is written before the first entry. */
  public static Journal open(Store store, Location directory, Clock clock) throws IOException {
    requireNonNull(store, "store");
    requireNonNull(directory, "directory");
    requireNonNull(clock, "clock");
    long last = 0;
    for (StoreEntry file : files(store, directory)) {
      last = Math.max(last, Long.parseLong(file.location().name().replace(".json", "")));
    }
    return new Journal(store, directory, clock, last + 1);
  }

  /** Where it is. */
  public Location directory() {
    return directory;
  }

  /**
   * Makes sure that no other process applies the plan meanwhile.
   *
   * @return empty if another process does
   */
  public Optional<Closeable> lock() throws IOException {
    return store.tryLock(directory.child("lock"));
  }

  /** All entries, in order. */
  public List<JsonNode> entries() throws IOException {
    List<JsonNode> entries = new ArrayList<>();
    for (StoreEntry file : files(store, directory)) {
      try {
        JsonNode entry = MAPPER.readTree(store.readAll(file.location()));
        if (entry.path("schema").asText().equals(SCHEMA)) {
          entries.add(entry);
        }
      } catch (JsonProcessingException cutShort) {
        // Said in the class comment.
      }
    }
    return entries;
  }

  /** The last entry of a kind about a stream. */
  public Optional<JsonNode> last(String stream, String event) throws IOException {
    Optional<JsonNode> last = Optional.empty();
    for (JsonNode entry : entries()) {
      if (entry.path("stream").asText().equals(stream)
          && entry.path("event").asText().equals(event)) {
        last = Optional.of(entry);
      }
    }
    return last;
  }

  /** An entry to be filled and given to {@link #append}. */
  public static ObjectNode entry(String event, String stream) {
    return MAPPER.createObjectNode().put("event", event).put("stream", stream);
  }

  /** Writes an entry. */
  public void append(ObjectNode entry) throws IOException {
    ObjectNode whole =
        MAPPER.createObjectNode().put("schema", SCHEMA).put("at", clock.instant().toString());
    whole.setAll(entry);
    byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
    while (true) {
      Location file = directory.child(String.format(Locale.ROOT, "%06d.json", next++));
      try {
        store.write(file, Content.of(bytes), Optional.empty());
        return;
      } catch (FileAlreadyExistsException taken) {
        // The next number is tried.
      }
    }
  }

  private static List<StoreEntry> files(Store store, Location directory) throws IOException {
    try {
      return store.list(directory).stream()
          .filter(file -> file.isFile() && file.location().name().matches("[0-9]{6,18}\\.json"))
          .toList();
    } catch (NoSuchFileException none) {
      return List.of();
    }
  }
}
