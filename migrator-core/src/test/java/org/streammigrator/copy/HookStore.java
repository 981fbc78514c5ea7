package org.streammigrator.copy;

import java.io.FilterInputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.ForwardingStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Receipt;
import org.streammigrator.storage.Store;

/** A store on which something happens meanwhile. */
final class HookStore extends ForwardingStore {

  /** What happens. */
  interface Hook {
    void run() throws IOException;
  }

  private final Path opened;
  private final Hook hook;
  private final AtomicLong room;
  private final int mostRead;

  private HookStore(Store store, Path opened, Hook hook, long room, int mostRead) {
    super(store);
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
    return new FilterInputStream(super.open(file)) {
      @Override
      public int read(byte[] buffer, int offset, int length) throws IOException {
        return in.read(buffer, offset, Math.min(length, mostRead));
      }
    };
  }

  @Override
  public byte[] readAll(Location file) throws IOException {
    try (InputStream in = open(file)) {
      return in.readAllBytes();
    }
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return super.write(
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
}
