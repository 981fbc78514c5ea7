package org.streammigrator.jobs.session;

import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumFs;
import org.apache.hadoop.fs.DelegateToFileSystem;
import org.apache.hadoop.fs.FsConstants;

/** {@link NioRawLocalFileSystem} with Hadoop's checksum files, for users of {@code FileContext}. */
public final class NioLocalFs extends ChecksumFs {

  /** The constructor that Hadoop calls. */
  public NioLocalFs(URI uri, Configuration configuration) throws IOException, URISyntaxException {
    super(new Raw(configuration));
  }

  private static final class Raw extends DelegateToFileSystem {
    Raw(Configuration configuration) throws IOException, URISyntaxException {
      super(
          FsConstants.LOCAL_FS_URI,
          new NioRawLocalFileSystem(),
          configuration,
          FsConstants.LOCAL_FS_URI.getScheme(),
          false);
    }

    @Override
    public int getUriDefaultPort() {
      return -1;
    }

    @Override
    public boolean isValidName(String source) {
      return true;
    }
  }
}
