package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystemException;
import java.nio.file.NotDirectoryException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.StoreTraits;

/**
 * Volumes of Unity Catalog from outside of Databricks, by its Files API.
 *
 * <p>An upload is there as a whole or not at all, and fails where a file is ({@code
 * overwrite=false}); that of two at the same moment one fails is not documented, and so not relied
 * on. Nothing is moved, and times cannot be set. Directories are there of themselves, and an upload
 * makes those above it. Listings tell times to the millisecond, {@link #stat} to the second.
 */
final class VolumeStore implements Store {
  private static final StoreTraits TRAITS = new StoreTraits(false, false, false, true);

  /** What a request to delete a file may get for an answer where a directory is. */
  private static final Set<Integer> NOT_A_FILE = Set.of(400, 404, 409);

  private final FilesApi api;
  private final long largest;

  VolumeStore(FilesApi api, long largest) {
    this.api = requireNonNull(api, "api");
    this.largest = largest;
  }

  /**
   * The store of the volumes of a workspace.
   *
   * @param place what is to be reached in it
   * @param settings host and credentials where they are not the environment's
   * @throws org.streammigrator.storage.UnservedPlaceException if no workspace is named, or a
   *     setting cannot be used
   * @throws IOException if there is no credential
   */
  static VolumeStore of(Location place, Map<String, String> settings) throws IOException {
    return new VolumeStore(
        new FilesApi(Workspace.of(place, settings), Retries.of(place, settings)), Spool.LARGEST);
  }

  @Override
  public StoreTraits traits(Location location) {
    return TRAITS;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    Map<String, StoreEntry> entries = new TreeMap<>();
    Set<String> tokens = new HashSet<>();
    String token = "";
    do {
      JsonNode page = page(directory, token);
      for (JsonNode entry : page.path("contents")) {
        StoreEntry read = entry(directory, entry);
        entries.put(read.location().name(), read);
      }
      token = page.path("next_page_token").asText("");
      if (!tokens.add(token)) {
        throw new IOException(directory + ": the server gives the same page again and again");
      }
    } while (!token.isEmpty());
    return List.copyOf(entries.values());
  }

  private JsonNode page(Location directory, String token) throws IOException {
    try {
      return api.json(api.page(directory, token), directory);
    } catch (FilesApiException refused) {
      if (refused.status() == 404 && token.isEmpty() && head(directory).isPresent()) {
        throw new NotDirectoryException(directory.toString());
      }
      throw refused.translated();
    }
  }

  private static StoreEntry entry(Location directory, JsonNode entry) throws IOException {
    String name = entry.path("name").asText("");
    if (name.isEmpty() || name.indexOf('/') >= 0) {
      throw new IOException(directory + ": the server lists an entry without a name");
    }
    Location location = directory.child(name);
    Instant modified = Instant.ofEpochMilli(entry.path("last_modified").asLong());
    if (entry.path("is_directory").asBoolean()) {
      return new StoreEntry(location, StoreEntry.Kind.DIRECTORY, 0, modified);
    }
    // A size of nothing is left out by some servers.
    return new StoreEntry(
        location, StoreEntry.Kind.FILE, entry.path("file_size").asLong(), modified);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    List<StoreEntry> entries = new ArrayList<>(new VolumeWalk(this).of(directory));
    entries.sort(Comparator.comparing(entry -> entry.location().path()));
    return List.copyOf(entries);
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    Optional<StoreEntry> file = head(location);
    if (file.isPresent()) {
      return file;
    }
    try {
      api.run(api.directories("HEAD", location), location);
      return Optional.of(new StoreEntry(location, StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH));
    } catch (FilesApiException refused) {
      if (refused.status() == 404) {
        return Optional.empty();
      }
      throw refused.translated();
    }
  }

  private Optional<StoreEntry> head(Location location) throws IOException {
    try (FilesApi.Answer answer = api.send(api.files("HEAD", location), location)) {
      Optional<String> length = answer.header("Content-Length");
      Optional<String> modified = answer.header("Last-Modified");
      if (length.isEmpty() || modified.isEmpty()) {
        throw new IOException(location + ": the server does not tell its size and its time");
      }
      return Optional.of(
          new StoreEntry(
              location,
              StoreEntry.Kind.FILE,
              Long.parseLong(length.get()),
              ZonedDateTime.parse(modified.get(), DateTimeFormatter.RFC_1123_DATE_TIME)
                  .toInstant()));
    } catch (FilesApiException refused) {
      if (refused.status() == 404) {
        return Optional.empty();
      }
      throw refused.translated();
    } catch (DateTimeException | NumberFormatException malformed) {
      throw new IOException(location + ": the server tells no time or size of it", malformed);
    }
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return open(file, 0);
  }

  @Override
  public InputStream open(Location file, long offset) throws IOException {
    try {
      return new VolumeBody(api, file, offset);
    } catch (FilesApiException refused) {
      if (refused.status() == 416 && offset > 0) {
        return InputStream.nullInputStream();
      }
      if (refused.status() == 404 && isDirectory(file)) {
        throw new FileSystemException(file.toString(), null, "it is a directory, not a file");
      }
      throw refused.translated();
    }
  }

  private boolean isDirectory(Location location) throws IOException {
    return stat(location).filter(StoreEntry::isDirectory).isPresent();
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    try (Spool spool = new Spool(file, largest)) {
      content.writeTo(spool);
      api.run(api.upload(file, spool.entity()), file);
      return Receipt.NONE;
    } catch (FilesApiException refused) {
      throw refused.translated();
    }
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    try {
      api.run(api.directories("PUT", directory), directory);
    } catch (FilesApiException refused) {
      throw refused.translated();
    }
  }

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException("a volume moves nothing: " + target);
  }

  @Override
  public void delete(Location location) throws IOException {
    try {
      api.run(api.files("DELETE", location), location);
    } catch (FilesApiException refused) {
      if (!NOT_A_FILE.contains(refused.status())) {
        throw refused.translated();
      }
      deleteDirectory(location, refused);
    }
  }

  private void deleteDirectory(Location directory, FilesApiException noFile) throws IOException {
    try {
      api.run(api.directories("DELETE", directory), directory);
    } catch (FilesApiException refused) {
      if (refused.status() != 404) {
        throw refused.translated();
      }
      if (noFile.status() != 404) {
        throw noFile.translated();
      }
    }
  }
}
