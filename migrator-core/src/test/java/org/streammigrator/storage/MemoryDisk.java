package org.streammigrator.storage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A disk in memory: directories of their own, moves of whole directories, times that are kept, and
 * writes of which a part may be left. One step at a time, so that a move is seen whole or not.
 */
public final class MemoryDisk extends MemoryStore {
  private static final Instant NOW = Instant.parse("2024-05-06T07:08:09Z");

  @Override
  public StoreTraits traits(Location location) {
    return new StoreTraits(true, true, true, false);
  }

  @Override
  public synchronized List<StoreEntry> walk(Location directory) throws IOException {
    return super.walk(directory);
  }

  @Override
  public synchronized Optional<StoreEntry> stat(Location location) {
    return super.stat(location);
  }

  @Override
  public synchronized void delete(Location location) throws IOException {
    super.delete(location);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    create(file);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      content.writeTo(bytes);
    } finally {
      nodes.put(key(file), new Node(bytes.toByteArray(), modified.orElse(NOW), Optional.empty()));
    }
    return Receipt.NONE;
  }

  private synchronized void create(Location file) throws IOException {
    createAbove(file);
    if (stat(file).isPresent()) {
      throw new FileAlreadyExistsException(file.toString());
    }
    nodes.put(key(file), new Node(new byte[0], NOW, Optional.empty()));
  }

  @Override
  public synchronized void createDirectory(Location directory) throws IOException {
    Optional<StoreEntry> there = stat(directory);
    if (there.filter(StoreEntry::isFile).isPresent()) {
      throw new FileAlreadyExistsException(directory.toString());
    }
    createAbove(directory);
    nodes.putIfAbsent(key(directory), new Node(DIRECTORY, NOW, Optional.empty()));
  }

  private void createAbove(Location location) throws IOException {
    Optional<Location> above = location.parent();
    if (above.isPresent() && !above.get().path().equals("/")) {
      Node node = nodes.get(key(above.get()));
      if (node != null && !node.isDirectory()) {
        throw new NotDirectoryException(above.get().toString());
      }
      createDirectory(above.get());
    }
  }

  @Override
  public synchronized void publish(Location staged, Location target) throws IOException {
    Optional<StoreEntry> from = stat(staged);
    if (from.isEmpty()) {
      throw new NoSuchFileException(staged.toString());
    }
    Optional<StoreEntry> to = stat(target);
    boolean replaceable = to.isEmpty() || from.get().isDirectory() && to.get().isDirectory();
    if (!replaceable || hasBelow(target)) {
      throw new FileAlreadyExistsException(target.toString());
    }
    createAbove(target);
    List<String> keys = new ArrayList<>(List.of(key(staged)));
    for (String key : nodes.tailMap(below(staged)).keySet()) {
      if (!key.startsWith(below(staged))) {
        break;
      }
      keys.add(key);
    }
    for (String key : keys) {
      nodes.put(key(target) + key.substring(key(staged).length()), nodes.remove(key));
    }
  }
}
