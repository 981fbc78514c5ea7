package org.streammigrator.jobs.session;

import org.apache.hadoop.fs.LocalFileSystem;

/** {@link NioRawLocalFileSystem} with Hadoop's checksum files, for users of {@code FileSystem}. */
public final class NioLocalFileSystem extends LocalFileSystem {

  /** The constructor that Hadoop calls. */
  public NioLocalFileSystem() {
    super(new NioRawLocalFileSystem());
  }
}
