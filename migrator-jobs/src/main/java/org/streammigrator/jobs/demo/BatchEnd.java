package org.streammigrator.jobs.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.streammigrator.job.DeltaPosition;

/**
 * Where a query over one Delta table stands: the end of a batch.
 *
 * @param batch the batch's number
 * @param version the table's version
 * @param index the last file of it that is done; -1: none
 */
record BatchEnd(long batch, long version, long index) {

  /** The end of the newest committed batch. */
  static BatchEnd newestCommitted(Path checkpoint) throws IOException {
    return read(checkpoint, newest(checkpoint, "commits"));
  }

  /** The end of the newest planned batch, committed or not. */
  static BatchEnd newestPlanned(Path checkpoint) throws IOException {
    return read(checkpoint, newest(checkpoint, "offsets"));
  }

  /** The watermark that the newest committed batch ran with, milliseconds of the epoch. */
  static long watermarkMs(Path checkpoint) throws IOException {
    List<String> lines =
        Files.readAllLines(checkpoint.resolve("offsets/" + newest(checkpoint, "commits")));
    return new ObjectMapper().readTree(lines.get(1)).path("batchWatermarkMs").longValue();
  }

  /** The same as a position of a job. */
  DeltaPosition position() {
    return new DeltaPosition(version, index);
  }

  private static BatchEnd read(Path checkpoint, long batch) throws IOException {
    List<String> lines = Files.readAllLines(checkpoint.resolve("offsets/" + batch));
    JsonNode offset = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    return new BatchEnd(
        batch, offset.path("reservoirVersion").longValue(), offset.path("index").longValue());
  }

  private static long newest(Path checkpoint, String log) throws IOException {
    try (Stream<Path> files = Files.list(checkpoint.resolve(log))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .mapToLong(Long::parseLong)
          .max()
          .orElseThrow();
    }
  }
}
