package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;

/**
 * A file source's own log, such as {@code CHECKPOINT/sources/0}: which input files each batch of
 * the source had ({@code FileStreamSourceLog}, {@code CompactibleFileStreamLog} in Spark: {@code
 * v1}, then one JSON object a line; {@code N.compact} repeats what all before it had).
 */
final class FileLog {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final String COMPACT = ".compact";

  private final Path directory;
  private final Configuration configuration;
  private final TreeSet<Long> plain = new TreeSet<>();
  private final TreeSet<Long> compact = new TreeSet<>();

  /**
   * An input file.
   *
   * @param path as Spark writes it: a URI, with its special characters encoded
   * @param modifiedMs when it was written, milliseconds since the epoch
   * @param batch the source's batch that had it
   */
  record Entry(String path, long modifiedMs, long batch) {}

  /**
   * Lists a log.
   *
   * @param field the part of the spec that names it
   * @throws InvalidJobSpecException if there is none
   */
  FileLog(String directory, String field, Configuration configuration) {
    this.directory = new Path(requireNonNull(directory, "directory"));
    this.configuration = requireNonNull(configuration, "configuration");
    try {
      FileSystem files = this.directory.getFileSystem(configuration);
      if (files.exists(this.directory)) {
        for (FileStatus status : files.listStatus(this.directory)) {
          add(status.getPath().getName());
        }
      }
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    if (plain.isEmpty() && compact.isEmpty()) {
      throw new InvalidJobSpecException(
          field + ": " + directory + " is no file source's log; it is CHECKPOINT/sources/N");
    }
  }

  private void add(String name) {
    boolean isCompact = name.endsWith(COMPACT);
    String number = isCompact ? name.substring(0, name.length() - COMPACT.length()) : name;
    if (number.matches("0|[1-9][0-9]{0,17}")) {
      (isCompact ? compact : plain).add(Long.parseLong(number));
    }
  }

  /** The source's last batch. */
  long last() {
    return Math.max(plain.isEmpty() ? -1 : plain.last(), compact.isEmpty() ? -1 : compact.last());
  }

  /**
   * The files of a range of the source's batches.
   *
   * @param after the batch before the first; -1: from the beginning
   * @param through the last batch
   * @throws JobRefusedException if the log lacks one of them
   */
  List<Entry> entries(long after, long through) {
    List<Entry> entries = new ArrayList<>();
    Long from = compact.floor(through);
    boolean isPlain = missing(after, through).isEmpty();
    if (!isPlain && from != null && missing(from, through).isEmpty()) {
      read(from + COMPACT, entries);
      readPlain(from, through, entries);
    } else if (isPlain) {
      readPlain(after, through, entries);
    } else if (compact.higher(through) != null) {
      read(compact.higher(through) + COMPACT, entries);
    } else {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.SOURCE_LOG_INCOMPLETE,
              directory.toString(),
              "the log lacks the entries " + missing(after, through),
              "take a copy of the checkpoint that has them, or read by time"));
    }
    return entries.stream()
        .filter(entry -> entry.batch() > after && entry.batch() <= through)
        .toList();
  }

  private List<Long> missing(long after, long through) {
    List<Long> missing = new ArrayList<>();
    for (long batch = after + 1; batch <= through; batch++) {
      if (!plain.contains(batch)) {
        missing.add(batch);
      }
    }
    return missing;
  }

  private void readPlain(long after, long through, List<Entry> into) {
    for (long batch = after + 1; batch <= through; batch++) {
      read(Long.toString(batch), into);
    }
  }

  private void read(String name, List<Entry> into) {
    Path file = new Path(directory, name);
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                file.getFileSystem(configuration).open(file), StandardCharsets.UTF_8))) {
      String version = lines.readLine();
      if (!"v1".equals(version)) {
        throw damaged(file, "it begins with '" + version + "', not with v1");
      }
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode entry = MAPPER.readTree(line);
        if (!entry.path("path").isTextual()
            || !entry.path("batchId").canConvertToLong()
            || !entry.path("timestamp").canConvertToLong()) {
          throw damaged(file, "a line of it is no input file: " + line);
        }
        into.add(
            new Entry(
                entry.path("path").asText(),
                entry.path("timestamp").longValue(),
                entry.path("batchId").longValue()));
      }
    } catch (JsonProcessingException invalid) {
      throw damaged(file, "a line of it is no JSON");
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private static JobRefusedException damaged(Path file, String message) {
    return JobRefusedException.unsafe(
        Finding.error(
            FindingCode.SOURCE_LOG_INCOMPLETE,
            file.toString(),
            message,
            "restore it from a copy of the checkpoint, or read by time"));
  }
}
