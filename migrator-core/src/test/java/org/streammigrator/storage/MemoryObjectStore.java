package org.streammigrator.storage;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An object store in memory, with what object stores do not do: no directories of their own, no
 * directory moves, no times that can be set, nothing half written.
 */
public final class MemoryObjectStore implements Store {
  private record Object(byte[] bytes, Instant modified, String tag) {}

  private final ConcurrentSkipListMap<String, Object> objects = new ConcurrentSkipListMap<>();
  private final AtomicLong versions = new AtomicLong();
  private final Instant began = Instant.parse("2024-05-06T07:08:09Z");

  @Override
  public StoreTraits traits(Location location) {
    return new StoreTraits(false, false, true, true);
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    Map<String, StoreEntry> children = new TreeMap<>();
    for (StoreEntry entry : walk(directory)) {
      String path = entry.location().relativeTo(directory);
      if (path.indexOf('/') < 0) {
        children.put(path, entry);
      }
    }
    return List.copyOf(children.values());
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    if (objects.containsKey(key(directory))) {
      throw new NotDirectoryException(directory.toString());
    }
    String prefix = key(directory) + (directory.path().equals("/") ? "" : "/");
    Map<String, StoreEntry> entries = new TreeMap<>();
    for (Map.Entry<String, Object> object : objects.tailMap(prefix).entrySet()) {
      if (!object.getKey().startsWith(prefix)) {
        break;
      }
      String path = object.getKey().substring(prefix.length());
      for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        String above = path.substring(0, slash);
        entries.putIfAbsent(above, directoryAt(directory.child(above)));
      }
      entries.put(path, file(directory.child(path), object.getValue()));
    }
    if (entries.isEmpty()) {
      throw new NoSuchFileException(directory.toString());
    }
    return List.copyOf(entries.values());
  }

  @Override
  public Optional<StoreEntry> stat(Location location) {
    Object object = objects.get(key(location));
    if (object != null) {
      return Optional.of(file(location, object));
    }
    String below = objects.ceilingKey(key(location) + "/");
    return below != null && below.startsWith(key(location) + "/")
        ? Optional.of(directoryAt(location))
        : Optional.empty();
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return new ByteArrayInputStream(object(file).bytes());
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.writeTo(bytes);
    return put(file, bytes.toByteArray(), true);
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    Object object = object(from.location());
    if (!Optional.of(object.tag()).equals(from.tag())) {
      throw new IOException(from.location() + " changed");
    }
    return Optional.of(put(to, object.bytes(), true));
  }

  private Receipt put(Location file, byte[] bytes, boolean verified) throws IOException {
    long version = versions.incrementAndGet();
    Object object = new Object(bytes, began.plusSeconds(version), "v" + version);
    if (objects.putIfAbsent(key(file), object) != null) {
      throw new FileAlreadyExistsException(file.toString());
    }
    return new Receipt(Optional.of(object.tag()), verified);
  }

  @Override
  public void createDirectory(Location directory) {}

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException("an object store moves nothing");
  }

  @Override
  public void delete(Location location) throws IOException {
    if (objects.remove(key(location)) == null && stat(location).isPresent()) {
      throw new DirectoryNotEmptyException(location.toString());
    }
  }

  private Object object(Location file) throws IOException {
    Object object = objects.get(key(file));
    if (object == null) {
      throw new NoSuchFileException(file.toString());
    }
    return object;
  }

  private static String key(Location location) {
    return location.scheme() + "://" + location.authority() + location.path();
  }

  private static StoreEntry file(Location location, Object object) {
    return new StoreEntry(
        location,
        StoreEntry.Kind.FILE,
        object.bytes().length,
        object.modified(),
        Optional.of(object.tag()));
  }

  private static StoreEntry directoryAt(Location location) {
    return new StoreEntry(location, StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH);
  }
}
