package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Reads facts from the metadata file of an Iceberg table (table specification, "Table Metadata
 * Fields"). A catalog decides which metadata file is the current one; without one it is the file
 * that {@code version-hint.text} names, else the one with the highest number.
 */
public final class IcebergTables {
  /** {@code v3.metadata.json}, {@code 00003-<uuid>.metadata.json}, and both compressed. */
  private static final Pattern METADATA_FILE =
      Pattern.compile("v?([0-9]{1,18})(-.*)?\\.(gz\\.metadata\\.json|metadata\\.json(\\.gz)?)");

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final Store store;

  public IcebergTables(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /**
   * The ids of the snapshots that a table still has, oldest first.
   *
   * @param table the table's directory, or one of its metadata files
   * @throws NoSuchFileException if there is no Iceberg table
   * @throws IOException if its metadata file cannot be read
   */
  public List<Long> snapshots(Location table) throws IOException {
    Location file = metadataFile(table);
    JsonNode root;
    try {
      root = MAPPER.readTree(content(file));
    } catch (JsonProcessingException damaged) {
      throw new IOException(
          "the Iceberg metadata file " + file + " is damaged: " + damaged.getOriginalMessage(),
          damaged);
    }
    List<JsonNode> snapshots = new ArrayList<>();
    if (!root.isObject() || (root.has("snapshots") && !root.get("snapshots").isArray())) {
      throw new IOException(
          "the Iceberg metadata file " + file + " is damaged: it holds no list of snapshots");
    }
    root.path("snapshots").forEach(snapshots::add);
    snapshots.sort(
        Comparator.comparingLong((JsonNode snapshot) -> snapshot.path("sequence-number").asLong())
            .thenComparingLong(snapshot -> snapshot.path("timestamp-ms").asLong()));
    List<Long> ids = new ArrayList<>();
    for (JsonNode snapshot : snapshots) {
      JsonNode id = snapshot.path("snapshot-id");
      if (!id.isIntegralNumber() || !id.canConvertToLong()) {
        throw new IOException(
            "the Iceberg metadata file " + file + " has a snapshot without a snapshot-id");
      }
      ids.add(id.longValue());
    }
    return ids;
  }

  private Location metadataFile(Location table) throws IOException {
    if (METADATA_FILE.matcher(table.name()).matches()
        && store.stat(table).filter(StoreEntry::isFile).isPresent()) {
      return table;
    }
    Location directory = table.child("metadata");
    List<StoreEntry> entries;
    try {
      entries = store.list(directory);
    } catch (NoSuchFileException | NotDirectoryException none) {
      throw notATable(table);
    }
    Optional<String> hint = Optional.empty();
    Optional<StoreEntry> newest = Optional.empty();
    for (StoreEntry entry : entries) {
      String name = entry.location().name();
      if (entry.isFile() && name.equals("version-hint.text")) {
        hint =
            Optional.of(
                new String(store.readAll(entry.location()), StandardCharsets.UTF_8).strip());
      } else if (entry.isFile()
          && METADATA_FILE.matcher(name).matches()
          && (newest.isEmpty() || number(name) > number(newest.get().location().name()))) {
        newest = Optional.of(entry);
      }
    }
    if (hint.isPresent()) {
      String version = hint.get();
      for (StoreEntry entry : entries) {
        String name = entry.location().name();
        if (name.matches("v" + Pattern.quote(version) + "\\.(gz\\.)?metadata\\.json(\\.gz)?")) {
          return entry.location();
        }
      }
    }
    return newest.map(StoreEntry::location).orElseThrow(() -> notATable(table));
  }

  private static long number(String name) {
    Matcher matcher = METADATA_FILE.matcher(name);
    return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
  }

  private byte[] content(Location file) throws IOException {
    byte[] bytes = store.readAll(file);
    boolean compressed = bytes.length > 2 && bytes[0] == (byte) 0x1f && bytes[1] == (byte) 0x8b;
    if (!compressed) {
      return bytes;
    }
    try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
      return in.readAllBytes();
    }
  }

  private static NoSuchFileException notATable(Location table) {
    return new NoSuchFileException(
        table.toString(), null, "no Iceberg table: it has no metadata/*.metadata.json");
  }
}
