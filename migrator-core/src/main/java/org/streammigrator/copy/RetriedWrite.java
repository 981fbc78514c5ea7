package org.streammigrator.copy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * A write that a store may have made although it says that the file exists: it lost the answer to
 * its request and sent it again.
 */
public final class RetriedWrite {
  private RetriedWrite() {}

  /**
   * Writes a new file.
   *
   * @param content as in {@link Store#write}
   * @return false if the store had taken all of the content and then said that the file exists: it
   *     is this very file, or another writer's, and the caller compares the bytes
   * @throws FileAlreadyExistsException if something was there before any of the content was asked
   *     for, or the content was not taken to its end
   */
  static boolean write(Store store, Location file, Content content, Optional<Instant> modified)
      throws IOException {
    boolean[] sent = new boolean[1];
    try {
      store.write(
          file,
          out -> {
            content.writeTo(out);
            sent[0] = true;
          },
          modified);
      return true;
    } catch (FileAlreadyExistsException exists) {
      if (!sent[0]) {
        throw exists;
      }
      return false;
    }
  }

  /**
   * Writes a new small file, or finds that it is there with these very bytes.
   *
   * @throws FileAlreadyExistsException if another file is there
   */
  public static void write(Store store, Location file, byte[] bytes) throws IOException {
    try {
      store.write(file, Content.of(bytes), Optional.empty());
    } catch (FileAlreadyExistsException exists) {
      if (!Arrays.equals(bytes, store.readAll(file))) {
        throw exists;
      }
    }
  }
}
