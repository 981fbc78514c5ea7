package org.streammigrator.jobs.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A table, whose versions appear as they are delivered. */
final class DeltaFeed implements Feed {
  private final MatrixWorld world;
  private final Path written;
  private final Path table;
  private final int versionsFirst;

  DeltaFeed(MatrixWorld world, Path table, int filesPerVersion) {
    this.world = world;
    this.written = world.table(filesPerVersion);
    this.table = table;
    this.versionsFirst = Events.FIRST * Events.PER_BATCH / (filesPerVersion * Events.PER_FILE);
  }

  @Override
  public void deliverFirst() throws IOException {
    FileUtils.copyDirectory(
        written.toFile(), table.toFile(), file -> !file.getName().equals("_delta_log"));
    Files.createDirectories(table.resolve("_delta_log"));
    log(0, versionsFirst);
  }

  @Override
  public void deliverRest() throws IOException {
    log(versionsFirst, Long.MAX_VALUE);
  }

  private void log(long from, long to) throws IOException {
    try (Stream<Path> files = Files.list(written.resolve("_delta_log"))) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.matches("[0-9]+\\.json")) {
          long version = Long.parseLong(name.substring(0, name.indexOf('.')));
          if (version >= from && version < to) {
            Files.copy(file, table.resolve("_delta_log").resolve(name));
          }
        }
      }
    }
  }

  @Override
  public Dataset<Row> stream() {
    return world
        .spark()
        .readStream()
        .format("delta")
        .option("startingVersion", 0)
        .option("maxFilesPerTrigger", Events.PER_BATCH / Events.PER_FILE)
        .load(table.toString());
  }

  @Override
  public String plan() {
    return "delta: \"%s\", eventTime: at, options: {startingVersion: 0}".formatted(table);
  }
}
