package org.streammigrator.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;

/** A store in memory, of any scheme, whose whole content can be remembered and brought back. */
public abstract class MemoryStore implements Store {
  /** The bytes of a directory. */
  static final byte[] DIRECTORY = new byte[0];

  /** A file, or a directory that is there of itself. */
  static final class Node {
    private final byte[] bytes;
    private final Instant modified;
    private final Optional<String> tag;
    private String digest;

    Node(byte[] bytes, Instant modified, Optional<String> tag) {
      this.bytes = bytes;
      this.modified = modified;
      this.tag = tag;
    }

    byte[] bytes() {
      return bytes;
    }

    Optional<String> tag() {
      return tag;
    }

    boolean isDirectory() {
      return bytes == DIRECTORY;
    }

    private synchronized String digest() {
      if (digest == null) {
        try {
          digest = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
          throw new IllegalStateException(e);
        }
      }
      return digest;
    }
  }

  /** All that a store holds at one moment. */
  public static final class Snapshot {
    private final Map<String, Node> nodes;

    private Snapshot(Map<String, Node> nodes) {
      this.nodes = nodes;
    }
  }

  /** Everything, by key. */
  final ConcurrentSkipListMap<String, Node> nodes = new ConcurrentSkipListMap<>();

  /** What is here now. */
  public Snapshot snapshot() {
    return new Snapshot(new TreeMap<>(nodes));
  }

  /** Makes it what it was. */
  public void restore(Snapshot snapshot) {
    nodes.clear();
    nodes.putAll(snapshot.nodes);
  }

  /** Every file, by its location's text, with its time and its hash. */
  public Map<String, String> files() {
    Map<String, String> files = new TreeMap<>();
    nodes.forEach(
        (key, node) -> {
          if (!node.isDirectory()) {
            files.put(key.replaceFirst(":///", ":/"), node.modified + " " + node.digest());
          }
        });
    return files;
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return walk(directory).stream()
        .filter(entry -> entry.location().relativeTo(directory).indexOf('/') < 0)
        .toList();
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    Node self = nodes.get(key(directory));
    if (self != null && !self.isDirectory()) {
      throw new NotDirectoryException(directory.toString());
    }
    String prefix = below(directory);
    Map<String, StoreEntry> entries = new TreeMap<>();
    for (Map.Entry<String, Node> node : nodes.tailMap(prefix).entrySet()) {
      if (!node.getKey().startsWith(prefix)) {
        break;
      }
      String path = node.getKey().substring(prefix.length());
      for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
        String above = path.substring(0, slash);
        entries.putIfAbsent(above, directoryAt(directory.child(above)));
      }
      entries.put(path, entry(directory.child(path), node.getValue()));
    }
    if (entries.isEmpty() && self == null) {
      throw new NoSuchFileException(directory.toString());
    }
    return List.copyOf(entries.values());
  }

  @Override
  public Optional<StoreEntry> stat(Location location) {
    Node node = nodes.get(key(location));
    if (node != null) {
      return Optional.of(entry(location, node));
    }
    return hasBelow(location) ? Optional.of(directoryAt(location)) : Optional.empty();
  }

  @Override
  public InputStream open(Location file) throws IOException {
    return new ByteArrayInputStream(file(file).bytes());
  }

  @Override
  public void delete(Location location) throws IOException {
    if (hasBelow(location)) {
      throw new DirectoryNotEmptyException(location.toString());
    }
    nodes.remove(key(location));
  }

  /** The file at a place. */
  final Node file(Location file) throws IOException {
    Node node = nodes.get(key(file));
    if (node == null || node.isDirectory()) {
      throw new NoSuchFileException(file.toString());
    }
    return node;
  }

  final boolean hasBelow(Location location) {
    String first = nodes.ceilingKey(below(location));
    return first != null && first.startsWith(below(location));
  }

  /** How a place is named here. */
  static String key(Location location) {
    return location.scheme() + "://" + location.authority() + location.path();
  }

  static String below(Location location) {
    return key(location) + (location.path().equals("/") ? "" : "/");
  }

  private static StoreEntry entry(Location location, Node node) {
    return node.isDirectory()
        ? directoryAt(location)
        : new StoreEntry(
            location, StoreEntry.Kind.FILE, node.bytes.length, node.modified, node.tag);
  }

  private static StoreEntry directoryAt(Location location) {
    return new StoreEntry(location, StoreEntry.Kind.DIRECTORY, 0, Instant.EPOCH);
  }
}
