package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

/**
 * Places of Databricks where the local file system shows them: {@code /Volumes} and {@code /dbfs}
 * on a cluster, and the disks below {@code /Volumes} of a Mac. It is used as the local disk is, and
 * trusted with nothing, since what mounts them moves no directory in one step and sets no times.
 */
public final class MountedStore extends ForwardingStore {
  private static final StoreTraits TRAITS = new StoreTraits(false, false, false, false);

  /** The store of what is mounted. */
  public MountedStore() {
    super(new LocalStore());
  }

  /**
   * The directory that is there where a place of the scheme {@code dbfs:} is mounted: {@code
   * /Volumes/CATALOG}, a Mac's {@code /Volumes/DISK}, {@code /dbfs/mnt}.
   */
  public static Path mountOf(Location location) {
    Path path = location.localPath();
    return path.getRoot().resolve(path.subpath(0, Math.min(path.getNameCount(), 2)));
  }

  @Override
  public StoreTraits traits(Location location) {
    return TRAITS;
  }

  @Override
  public Receipt write(Location file, Content content, Optional<Instant> modified)
      throws IOException {
    return super.write(file, content, Optional.empty());
  }

  @Override
  public void publish(Location staged, Location target) {
    throw new UnsupportedOperationException("no atomic move to " + target);
  }
}
