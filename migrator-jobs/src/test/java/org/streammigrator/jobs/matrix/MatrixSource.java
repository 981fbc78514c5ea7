package org.streammigrator.jobs.matrix;

import java.nio.file.Path;

/** What a stream reads, and where in it the query stops. */
enum MatrixSource {
  /** Versions of three files, two of which make a batch. */
  DELTA_MID_VERSION,
  /** Versions of two files, which make a batch. */
  DELTA_BETWEEN_VERSIONS,
  KAFKA,
  FILES;

  /** Opens the source for a stream of its own; nothing is in it. */
  Feed open(MatrixWorld world, Path directory) throws Exception {
    return switch (this) {
      case DELTA_MID_VERSION -> new DeltaFeed(world, directory.resolve("table"), 3);
      case DELTA_BETWEEN_VERSIONS -> new DeltaFeed(world, directory.resolve("table"), 2);
      case KAFKA -> new KafkaFeed(world);
      case FILES -> new FilesFeed(world, directory.resolve("in put"));
    };
  }
}
