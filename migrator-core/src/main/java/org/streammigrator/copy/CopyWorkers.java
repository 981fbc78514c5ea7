package org.streammigrator.copy;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;

/** Other processes that copy files with {@link TreeCopy#copyProven}. */
public interface CopyWorkers {

  /**
   * Has files copied, and proven to be at the target.
   *
   * @param place the directory that is filled
   * @param files what is to be copied; all of it {@link CopySource#stored}
   * @param there what is at the target, by path
   * @param done takes each file that is there and right, once, by any thread
   * @throws SourceChangedException if a source is gone or has another size than it was listed with
   */
  void copy(
      Location place,
      List<CopySource> files,
      Map<String, StoreEntry> there,
      Consumer<CopiedFile> done)
      throws IOException;
}
