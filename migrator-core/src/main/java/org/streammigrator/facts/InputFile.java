package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A file in the input of a file source.
 *
 * @param path as the store spells it
 * @param modifiedMs time of the last modification, milliseconds since the epoch
 */
public record InputFile(String path, long modifiedMs) {
  public InputFile {
    requireNonNull(path, "path");
  }

  /**
   * The files that a file source sees below a directory: names that begin with an underscore or a
   * dot, and what lies below such, are hidden ({@code InMemoryFileIndex.shouldFilterOutPathName}).
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  public static List<InputFile> list(Store store, Location directory) throws IOException {
    List<InputFile> files = new ArrayList<>();
    for (StoreEntry entry : store.walk(directory)) {
      String path = entry.location().relativeTo(directory);
      boolean hidden =
          Arrays.stream(path.split("/"))
              .anyMatch(
                  name -> name.startsWith(".") || (name.startsWith("_") && !name.contains("=")));
      if (entry.isFile() && !hidden) {
        files.add(new InputFile(entry.location().toString(), entry.modified().toEpochMilli()));
      }
    }
    return files;
  }
}
