package org.streammigrator.storage;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A tree in memory that counts requests as an object store bills them: a listing costs a page for
 * each 1,000 files, a read is one request, and asking for one entry is one.
 */
public final class CountingStore implements Store {
  private static final int PAGE = 1000;
  private static final byte[] DIRECTORY = new byte[0];

  private final Location root;
  private final TreeMap<String, byte[]> files = new TreeMap<>();
  private final List<String> reads = new ArrayList<>();
  private int pages;
  private int stats;

  public CountingStore(Location root) {
    this.root = root;
  }

  public void put(String path, String content) {
    put(path, content.getBytes(StandardCharsets.UTF_8));
  }

  public void put(String path, byte[] content) {
    files.put(path, content);
    for (int slash = path.lastIndexOf('/'); slash > 0; slash = path.lastIndexOf('/', slash - 1)) {
      files.putIfAbsent(path.substring(0, slash), DIRECTORY);
    }
  }

  /** The paths that were read, in order. */
  public List<String> reads() {
    return List.copyOf(reads);
  }

  /** The pages of listings that were asked for. */
  public int pages() {
    return pages;
  }

  public int stats() {
    return stats;
  }

  private StoreEntry entry(String path, byte[] content) {
    return new StoreEntry(
        root.child(path),
        content == DIRECTORY ? StoreEntry.Kind.DIRECTORY : StoreEntry.Kind.FILE,
        content.length,
        Instant.EPOCH);
  }

  @Override
  public List<StoreEntry> list(Location directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public StoreTraits traits(Location location) {
    throw new UnsupportedOperationException();
  }

  @Override
  public List<StoreEntry> walk(Location directory) {
    List<StoreEntry> entries = new ArrayList<>();
    files.forEach((path, content) -> entries.add(entry(path, content)));
    pages += 1 + (int) entries.stream().filter(StoreEntry::isFile).count() / PAGE;
    return entries;
  }

  @Override
  public Optional<StoreEntry> stat(Location location) {
    stats++;
    String path = location.relativeTo(root);
    return Optional.ofNullable(files.get(path)).map(content -> entry(path, content));
  }

  @Override
  public InputStream open(Location file) throws IOException {
    String path = file.relativeTo(root);
    reads.add(path);
    byte[] content = files.get(path);
    if (content == null || content == DIRECTORY) {
      throw new NoSuchFileException(path);
    }
    return new ByteArrayInputStream(content);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void createDirectory(Location directory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void delete(Location location) {
    throw new UnsupportedOperationException();
  }
}
