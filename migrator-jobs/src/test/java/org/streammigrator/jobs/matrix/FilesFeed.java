package org.streammigrator.jobs.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** A directory of JSON files. */
final class FilesFeed implements Feed {
  private final MatrixWorld world;
  private final Path input;

  FilesFeed(MatrixWorld world, Path input) throws IOException {
    this.world = world;
    this.input = Files.createDirectories(input);
  }

  @Override
  public void deliverFirst() throws IOException {
    write(0, Events.FIRST);
  }

  @Override
  public void deliverRest() throws IOException {
    write(Events.FIRST, Events.batches());
  }

  private void write(int from, int to) throws IOException {
    for (int batch = from; batch < to; batch++) {
      List<String> lines = Events.of(batch, batch + 1).stream().map(Events::json).toList();
      for (int line = 0; line < lines.size(); line += Events.PER_FILE) {
        Path file =
            Files.write(
                input.resolve("bätch %d %%41 %d.json".formatted(batch, line)),
                lines.subList(line, line + Events.PER_FILE));
        Files.setLastModifiedTime(
            file, FileTime.from(Events.arrival(batch).plusMillis(100L * line)));
      }
    }
  }

  @Override
  public Dataset<Row> stream() {
    return world
        .spark()
        .readStream()
        .schema(Events.SCHEMA)
        .option("maxFilesPerTrigger", Events.PER_BATCH / Events.PER_FILE)
        .json(input.toString());
  }

  @Override
  public String plan() {
    return "files: \"%s\"".formatted(input);
  }
}
