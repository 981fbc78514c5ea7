package org.streammigrator.storage;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An object store in memory, with what object stores do not do: no directories of their own, no
 * directory moves, no times that can be set, nothing half written.
 */
public final class MemoryObjectStore extends MemoryStore {
  private final AtomicLong versions = new AtomicLong();
  private final Instant began;

  public MemoryObjectStore() {
    this(Instant.parse("2024-05-06T07:08:09Z"));
  }

  /** A store whose clock begins at a moment, and goes on by a second with each write. */
  public MemoryObjectStore(Instant began) {
    this.began = began;
  }

  @Override
  public StoreTraits traits(Location location) {
    return new StoreTraits(false, false, true, true);
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    content.writeTo(bytes);
    return put(file, bytes.toByteArray());
  }

  @Override
  public Optional<Receipt> copyWithin(StoreEntry from, Location to, Optional<Instant> modified)
      throws IOException {
    Node object = file(from.location());
    if (!object.tag().equals(from.tag())) {
      throw new IOException(from.location() + " changed");
    }
    return Optional.of(put(to, object.bytes()));
  }

  private Receipt put(Location file, byte[] bytes) throws IOException {
    long version = versions.incrementAndGet();
    Optional<String> tag = Optional.of("v" + version);
    if (nodes.putIfAbsent(key(file), new Node(bytes, began.plusSeconds(version), tag)) != null) {
      throw new FileAlreadyExistsException(file.toString());
    }
    return new Receipt(tag, true);
  }

  @Override
  public void createDirectory(Location directory) {}

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException("an object store moves nothing");
  }
}
