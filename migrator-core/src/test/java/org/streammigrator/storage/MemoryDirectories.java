package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/**
 * Temporary directories of tests in a file system in memory, where the machine has one: forcing a
 * file to disk is most of what a migration of a small checkpoint takes. A real file system all the
 * same, unlike a double.
 */
public final class MemoryDirectories implements TempDirFactory {
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final long ENOUGH_BYTES = 1L << 30;

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext context)
      throws IOException {
    return isUsable()
        ? Files.createTempDirectory(MEMORY, "migrator-test-")
        : Files.createTempDirectory("migrator-test-");
  }

  private static boolean isUsable() throws IOException {
    return Files.isDirectory(MEMORY)
        && Files.isWritable(MEMORY)
        && Files.getFileStore(MEMORY).getUsableSpace() > ENOUGH_BYTES;
  }
}
