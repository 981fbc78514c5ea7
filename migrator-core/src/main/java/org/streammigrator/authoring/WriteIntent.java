package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.copy.Manifests;
import org.streammigrator.copy.RetriedWrite;
import org.streammigrator.copy.Trees;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * What is going to be written at a target that cannot be staged, recorded beside it before any of
 * it is written: {@code <parent>/.<name>.migrator-intent/000001.json} and so on, each with its
 * owner (the place of a plan's journal). A file at the target that no intent names is another's and
 * is never touched. The record is deleted when the checkpoint is whole.
 */
final class WriteIntent {
  private static final String SCHEMA = "migrator/intent/1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Set<String> paths = new HashSet<>();
  private final Set<String> last = new HashSet<>();
  private final Set<String> owners = new TreeSet<>();
  private final Location directory;
  private int number;

  private WriteIntent(Location target) {
    this.directory = Manifests.beside(requireNonNull(target, "target"), "migrator-intent");
  }

  /** Everything that is recorded beside a target; a record that a crash cut short is left out. */
  static WriteIntent read(Store store, Location target) throws IOException {
    WriteIntent intent = new WriteIntent(target);
    List<StoreEntry> entries;
    try {
      entries = store.list(intent.directory);
    } catch (NoSuchFileException none) {
      return intent;
    }
    for (StoreEntry entry : entries) {
      intent.add(entry.location().name(), store.readAll(entry.location()));
    }
    return intent;
  }

  /** Whether anything is intended. */
  boolean isOpen() {
    return !paths.isEmpty();
  }

  /** Somebody else than the given owner who intends something. */
  Optional<String> otherThan(String owner) {
    return owners.stream().filter(other -> !other.equals(owner)).findFirst();
  }

  /** Whether a path is one that is going to be written. */
  boolean names(String path) {
    return paths.contains(path);
  }

  /** The files, one of each attempt, that make the checkpoint startable. */
  Set<String> last() {
    return Set.copyOf(last);
  }

  /** Records what an owner is going to write, unless it is recorded already. */
  void record(Store store, String owner, Set<String> more, Optional<String> lastOfAll)
      throws IOException {
    if (owners.contains(owner)
        && paths.containsAll(more)
        && last.containsAll(lastOfAll.stream().toList())) {
      return;
    }
    ObjectNode json = MAPPER.createObjectNode().put("schema", SCHEMA).put("owner", owner);
    lastOfAll.ifPresent(path -> json.put("last", path));
    ArrayNode list = json.putArray("paths");
    more.stream().sorted().forEach(list::add);
    number++;
    RetriedWrite.write(
        store,
        directory.child(String.format(Locale.ROOT, "%06d.json", number)),
        MAPPER.writeValueAsBytes(json));
    paths.addAll(more);
    lastOfAll.ifPresent(last::add);
    owners.add(owner);
  }

  /** Deletes the record. */
  void close(Store store) throws IOException {
    Trees.delete(store, directory);
  }

  private void add(String name, byte[] bytes) {
    String digits = name.replaceAll("[^0-9].*", "");
    if (!digits.isEmpty() && digits.length() < 9) {
      number = Math.max(number, Integer.parseInt(digits));
    }
    try {
      JsonNode json = MAPPER.readTree(bytes);
      if (json != null && json.path("schema").asText().equals(SCHEMA)) {
        owners.add(json.path("owner").asText());
        json.path("paths").forEach(path -> paths.add(path.asText()));
        if (json.path("last").isTextual()) {
          last.add(json.path("last").asText());
        }
      }
    } catch (IOException cutShort) {
      // Nothing was written on its strength: it counts only once it is whole.
    }
  }
}
