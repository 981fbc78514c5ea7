package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.Optional;
import org.streammigrator.copy.Manifests;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * That a release was begun, in a file beside the checkpoint, {@code
 * .<name>.migrator-release-<state>.json}, written before anything is deleted; {@code
 * .<name>.migrator-release-<state>.done.json} says that it ended. Both stay. The state is the
 * beginning of the fingerprint of what was archived.
 */
final class ReleaseRecord {
  private static final String SCHEMA = "migrator/release-record/1";
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;
  private final Location begun;
  private final Location done;

  ReleaseRecord(Store store, Location checkpoint, String fingerprint) {
    this.store = requireNonNull(store, "store");
    String name = "migrator-release-" + fingerprint.substring(0, 12);
    this.begun = Manifests.beside(checkpoint, name + ".json");
    this.done = Manifests.beside(checkpoint, name + ".done.json");
  }

  /** Whether any release of a place was begun or ended. */
  static boolean anyOf(Store store, Location checkpoint) throws IOException {
    String prefix = "." + checkpoint.name() + ".migrator-release-";
    try {
      return store.list(checkpoint.parent().orElseThrow(), name -> name.startsWith(prefix)).stream()
          .anyMatch(StoreEntry::isFile);
    } catch (NoSuchFileException none) {
      return false;
    }
  }

  /** Whether it was begun: the record is there and whole. */
  boolean isBegun() throws IOException {
    if (store.stat(begun).isEmpty()) {
      return false;
    }
    try {
      JsonNode json = MAPPER.readTree(store.readAll(begun));
      return json != null && json.path("schema").asText().equals(SCHEMA);
    } catch (JsonProcessingException cutShort) {
      return false;
    }
  }

  /** Whether it ended. */
  boolean isDone() throws IOException {
    return store.stat(done).isPresent();
  }

  /** Says that it begins. One that a crash cut short, or that ended before, is replaced. */
  void begin(ReleaseResult checked, String archiveSha256, Instant now) throws IOException {
    if (isBegun() && !isDone()) {
      return;
    }
    store.delete(done);
    store.delete(begun);
    ObjectNode json =
        MAPPER
            .createObjectNode()
            .put("schema", SCHEMA)
            .put("at", now.toString())
            .put("checkpoint", checked.checkpoint())
            .put("archive", checked.archive())
            .put("archiveSha256", archiveSha256)
            .put("files", checked.files())
            .put("bytes", checked.bytes());
    if (checked.evidence() != null) {
      json.set("evidence", MAPPER.valueToTree(checked.evidence()));
    }
    write(begun, json);
  }

  /** Says that it ended. */
  void end(Instant now) throws IOException {
    write(done, MAPPER.createObjectNode().put("schema", SCHEMA).put("released", now.toString()));
  }

  private void write(Location file, ObjectNode json) throws IOException {
    byte[] bytes = (json.toPrettyString() + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      store.write(file, Content.of(bytes), Optional.empty());
    } catch (FileAlreadyExistsException same) {
      // Its name says all that matters.
    }
  }
}
