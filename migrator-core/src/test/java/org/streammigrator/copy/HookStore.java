package org.streammigrator.copy;

import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** A store on which something happens meanwhile. */
final class HookStore implements Store {

  /** What happens. */
  interface Hook {
    void run() throws IOException;
  }

  private final Store store;
  private final Path opened;
  private final Hook hook;
  private final AtomicLong room;
  private final int mostRead;

  private HookStore(Store store, Path opened, Hook hook, long room, int mostRead) {
    this.store = store;
    this.opened = opened;
    this.hook = hook;
    this.room = new AtomicLong(room);
    this.mostRead = mostRead;
  }

  /** Something changes just before a file is opened. */
  static Store beforeOpening(Path file, Hook hook, Store store) {
    return new HookStore(store, file, hook, Long.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** A disk with room for some bytes. */
  static Store withRoom(long bytes, Store store) {
    return new HookStore(store, Path.of("/"), () -> {}, bytes, Integer.MAX_VALUE);
  }

  /** A network that brings a few bytes at a time. */
  static Store trickling(Store store) {
    return new HookStore(store, Path.of("/"), () -> {}, Long.MAX_VALUE, 777);
  }

  @Override
  public InputStream open(Location file) throws IOException {
    if (file.localPath().equals(opened)) {
      hook.run();
    }
    return new FilterInputStream(store.open(file)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return in.read(buffer, offset, Math.min(length, mostRead));
      }
    };
  }

  @Override
  public void write(Location file, Content content, Optional<Instant> modified) throws IOException {
    store.write(
        file,
        out ->
            content.writeTo(
                new FilterOutputStream(out) {
                  @Override
                  public void write(byte[] buffer, int offset, int length) throws IOException {
                    takeRoom(length);
                    out.write(buffer, offset, length);
                  }

                  @Override
                  public void write(int value) throws IOException {
                    takeRoom(1);
                    out.write(value);
                  }
                }),
        modified);
  }

  private void takeRoom(long bytes) throws IOException {
    if (room.addAndGet(-bytes) < 0) {
      throw new IOException("No space left on device");
    }
  }

  @Override
  public List<StoreEntry> list(Location directory) throws IOException {
    return store.list(directory);
  }

  @Override
  public List<StoreEntry> walk(Location directory) throws IOException {
    return store.walk(directory);
  }

  @Override
  public Optional<StoreEntry> stat(Location location) throws IOException {
    return store.stat(location);
  }

  @Override
  public void createDirectory(Location directory) throws IOException {
    store.createDirectory(directory);
  }

  @Override
  public void publish(Location staged, Location target) throws IOException {
    store.publish(staged, target);
  }

  @Override
  public void delete(Location location) throws IOException {
    store.delete(location);
  }

  @Override
  public Optional<Closeable> tryLock(Location file) throws IOException {
    return store.tryLock(file);
  }
}
