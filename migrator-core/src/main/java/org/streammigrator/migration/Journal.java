package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
  /** The event that undoes all before it. */
  static final String ROLLED_BACK = "rolled-back";

  /** The event that says that a stream is done. */
  static final String FINISHED = "finished";

  private static final String SCHEMA = "migrator/journal/1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;
  private final Location directory;
  private final Clock clock;
  private final List<JsonNode> entries = new ArrayList<>();
  private final Map<String, List<JsonNode>> byStream = new HashMap<>();
  private long next;

  private Journal(Store store, Location directory, Clock clock, List<JsonNode> entries, long next) {
    this.store = store;
    this.directory = directory;
    this.clock = clock;
    this.next = next;
    entries.forEach(this::add);
  }

  /**
   * A journal for reading and writing. What is there is read now, once; nothing is written before
   * the first entry.
   */
  public static Journal open(Store store, Location directory, Clock clock) throws IOException {
    requireNonNull(store, "store");
    requireNonNull(directory, "directory");
    requireNonNull(clock, "clock");
    long last = 0;
    List<JsonNode> entries = new ArrayList<>();
    for (StoreEntry file : files(store, directory)) {
      last = Math.max(last, Long.parseLong(file.location().name().replace(".json", "")));
      parse(store.readAll(file.location())).ifPresent(entries::add);
    }
    return new Journal(store, directory, clock, entries, last + 1);
  }

  /** The time, by the clock that its entries have. */
  Instant now() {
    return clock.instant();
  }

  /** Where it is. */
  public Location directory() {
    return directory;
  }

  /** Where operators say that they are at work on the plan, see {@link OperatorLock}. */
  public Location lock() {
    return directory.child("lock");
  }

  /** All entries, in order. */
  public synchronized List<JsonNode> entries() {
    return List.copyOf(entries);
  }

  /** The entries about a stream since it was last rolled back, in order. */
  public synchronized List<JsonNode> since(String stream) {
    return new ArrayList<>(byStream.getOrDefault(stream, List.of()));
  }

  /**
   * A fleet's journal is long, so that what is asked of a stream is not looked for in all of it.
   */
  private void add(JsonNode entry) {
    entries.add(entry);
    List<JsonNode> since =
        byStream.computeIfAbsent(entry.path("stream").asText(), name -> new ArrayList<>());
    if (entry.path("event").asText().equals(ROLLED_BACK)) {
      since.clear();
    } else {
      since.add(entry);
    }
  }

  /** The last entry of a kind about a stream since it was last rolled back. */
  public Optional<JsonNode> last(String stream, String event) {
    Optional<JsonNode> last = Optional.empty();
    for (JsonNode entry : since(stream)) {
      if (entry.path("event").asText().equals(event)) {
        last = Optional.of(entry);
      }
    }
    return last;
  }

  /** Whether it says that a stream is done, and nothing was staged for it since. */
  boolean isFinished(String stream) {
    boolean finished = false;
    for (JsonNode entry : since(stream)) {
      String event = entry.path("event").asText();
      finished = event.equals(FINISHED) || finished && !event.equals("staged");
    }
    return finished;
  }

  /** An entry to be filled and given to {@link #append}. */
  public static ObjectNode entry(String event, String stream) {
    return MAPPER.createObjectNode().put("event", event).put("stream", stream);
  }

  /** Writes an entry. */
  public synchronized void append(ObjectNode entry) throws IOException {
    ObjectNode whole =
        MAPPER.createObjectNode().put("schema", SCHEMA).put("at", clock.instant().toString());
    whole.setAll(entry);
    byte[] bytes = whole.toString().getBytes(StandardCharsets.UTF_8);
    while (true) {
      Location file = directory.child(String.format(Locale.ROOT, "%06d.json", next++));
      try {
        store.write(file, Content.of(bytes), Optional.empty());
        break;
      } catch (FileAlreadyExistsException taken) {
        // Either the answer to this very write was lost, or the number is another's.
        byte[] there = store.readAll(file);
        if (Arrays.equals(there, bytes)) {
          break;
        }
        parse(there).ifPresent(this::add);
      }
    }
    add(whole);
  }

  private static Optional<JsonNode> parse(byte[] file) throws IOException {
    try {
      JsonNode entry = MAPPER.readTree(file);
      return Optional.ofNullable(entry).filter(e -> e.path("schema").asText().equals(SCHEMA));
    } catch (JsonProcessingException cutShort) {
      // Said in the class comment.
      return Optional.empty();
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
