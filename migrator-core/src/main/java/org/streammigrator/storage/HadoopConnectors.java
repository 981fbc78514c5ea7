package org.streammigrator.storage;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/** Hadoop's file systems by scheme, also those that Hadoop's own defaults keep from being found. */
final class HadoopConnectors {
  private static final String HADOOPS_DEFAULTS = "core-default.xml";

  /** Google's connector tells its metrics on standard error. Held, since loggers are collected. */
  private static final Logger GOOGLE = Logger.getLogger("com.google.cloud.hadoop");

  private HadoopConnectors() {}

  /**
   * A file system of its own.
   *
   * @throws org.apache.hadoop.fs.UnsupportedFileSystemException if there is none for the scheme
   */
  static FileSystem open(URI uri, Configuration configuration) throws IOException {
    try {
      return FileSystem.newInstance(uri, configuration);
    } catch (RuntimeException failure) {
      if (!(failure.getCause() instanceof ClassNotFoundException)) {
        throw failure;
      }
    }
    // Hadoop's defaults name a connector for gs: that does not come with it. Where another one is,
    // such as Google's own, neither that name nor the other defaults are for it.
    GOOGLE.setLevel(Level.OFF);
    String prefix = "fs." + uri.getScheme() + ".";
    for (String name : configuration.getPropsWithPrefix(prefix).keySet()) {
      if (List.of(HADOOPS_DEFAULTS).equals(sources(configuration, prefix + name))) {
        configuration.unset(prefix + name);
      }
    }
    return FileSystem.newInstance(uri, configuration);
  }

  private static List<String> sources(Configuration configuration, String name) {
    String[] sources = configuration.getPropertySources(name);
    return sources == null ? List.of() : List.of(sources);
  }
}
