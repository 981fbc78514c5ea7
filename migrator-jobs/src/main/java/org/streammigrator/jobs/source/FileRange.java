package org.streammigrator.jobs.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.rows.Failures;

/**
 * Input files: those that a file source's log lists for a range of its batches, or those that a
 * listing shows within a range of modification times. Files that another log lists can be left out:
 * what is left is what Auto Loader or a file source has not seen.
 */
final class FileRange {
  private static final Set<String> RESERVED =
      Set.of("path", "paths", "pathglobfilter", "modifiedafter", "modifiedbefore");

  private static final Pattern PATTERN = Pattern.compile("[\\[\\]{}*?\\\\]");

  private final SparkSession spark;
  private final SourceSpec spec;
  private final Configuration configuration;
  private final Map<String, String> options;

  FileRange(SparkSession spark, SourceSpec spec) {
    this.spark = requireNonNull(spark, "spark");
    this.spec = requireNonNull(spec, "spec");
    this.configuration = spark.sparkContext().hadoopConfiguration();
    this.options = ReaderOptions.of(spec, RESERVED);
  }

  /** An input file as it is now. */
  private record Input(Path path, long bytes) {}

  SourceRead open() {
    ObjectNode end = JsonNodeFactory.instance.objectNode();
    List<Input> inputs;
    try {
      inputs = spec.log() == null ? listed(end) : logged(end);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
    if (spec.notIn() != null) {
      Set<Path> seen = new HashSet<>();
      FileLog log = new FileLog(spec.notIn(), field("notIn"), configuration);
      log.entries(-1, log.last()).forEach(entry -> seen.add(path(entry.path())));
      inputs = inputs.stream().filter(input -> !seen.contains(input.path())).toList();
    }
    Dataset<Row> rows = rows(inputs);
    return new SourceRead(
        spec.name(),
        EventTimes.needed(spec, rows),
        spec.from(),
        end,
        OptionalLong.empty(),
        OptionalLong.of(inputs.size()),
        OptionalLong.of(inputs.stream().mapToLong(Input::bytes).sum()),
        EventTimes.ofAll(spec, rows));
  }

  private List<Input> logged(ObjectNode end) throws IOException {
    FileLog log = new FileLog(spec.log(), field("log"), configuration);
    long from = logOffset(spec.from(), "from", -1);
    long to = logOffset(spec.to(), "to", log.last());
    if (to > log.last() || to < from) {
      throw new InvalidJobSpecException(
          to < from
              ? field("to") + " is before from"
              : "%s: the log ends with %d".formatted(field("to"), log.last()));
    }
    end.put("logOffset", to);
    List<Input> inputs = new ArrayList<>();
    for (FileLog.Entry entry : log.entries(from, to)) {
      Path path = path(entry.path());
      FileStatus status;
      try {
        status = path.getFileSystem(configuration).getFileStatus(path);
      } catch (FileNotFoundException gone) {
        throw JobRefusedException.unsafe(
            Finding.error(
                FindingCode.SOURCE_NOT_FOUND,
                entry.path(),
                "the input file, which batch " + entry.batch() + " of the source had, is gone",
                "put it back from where input files are archived, or take the loss knowingly by"
                    + " beginning after that batch"));
      }
      if (status.getModificationTime() != entry.modifiedMs()) {
        throw JobRefusedException.unsafe(
            Finding.error(
                FindingCode.FILE_CHANGED_IN_PLACE,
                entry.path(),
                "the input file was written at %s; the source read it as of %s"
                    .formatted(
                        Instant.ofEpochMilli(status.getModificationTime()),
                        Instant.ofEpochMilli(entry.modifiedMs())),
                "it may hold other rows now: put the old file back, or read it by time"));
      }
      inputs.add(new Input(path, status.getLen()));
    }
    return inputs;
  }

  private List<Input> listed(ObjectNode end) throws IOException {
    Instant from = modified(spec.from(), "from", Instant.MIN);
    Instant to = modified(spec.to(), "to", Instant.now());
    end.put("modified", to.toString());
    Path pattern = new Path(spec.files());
    FileStatus[] found = pattern.getFileSystem(configuration).globStatus(pattern);
    if (found == null || found.length == 0) {
      throw new InvalidJobSpecException(field("files") + ": there is nothing at " + spec.files());
    }
    List<Input> inputs = new ArrayList<>();
    for (FileStatus status : found) {
      list(status, from, to, inputs);
    }
    return inputs;
  }

  /** Whether Spark reads files of this name ({@code HadoopFSUtils.shouldFilterOutPathName}). */
  private static boolean isRead(String name) {
    boolean isHidden = name.startsWith("_") && !name.contains("=") || name.startsWith(".");
    return !isHidden && !name.endsWith("._COPYING_");
  }

  /** Adds the files that Spark would read. */
  private void list(FileStatus status, Instant from, Instant to, List<Input> into)
      throws IOException {
    if (status.isDirectory()) {
      for (FileStatus child :
          status.getPath().getFileSystem(configuration).listStatus(status.getPath())) {
        String name = child.getPath().getName();
        if (isRead(name)) {
          list(child, from, to, into);
        }
      }
      return;
    }
    Instant modified = Instant.ofEpochMilli(status.getModificationTime());
    if (modified.isAfter(from) && !modified.isAfter(to)) {
      into.add(new Input(status.getPath(), status.getLen()));
    }
  }

  private Dataset<Row> rows(List<Input> inputs) {
    return Failures.ofAnalysis(
        "source " + spec.name(),
        () -> {
          StructType schema = spec.schema() == null ? null : StructType.fromDDL(spec.schema());
          if (inputs.isEmpty()) {
            if (schema == null) {
              throw new InvalidJobSpecException(
                  field("schema") + " is needed, since no file is in the range");
            }
            return spark.createDataFrame(List.of(), schema);
          }
          // Spark reads files twice that share a read with one whose name looks like a pattern.
          List<List<String>> reads = new ArrayList<>();
          List<String> plain = new ArrayList<>();
          for (Input input : inputs) {
            String path = input.path().toString();
            if (PATTERN.matcher(path).find()) {
              reads.add(List.of(path));
            } else {
              plain.add(path);
            }
          }
          if (!plain.isEmpty()) {
            reads.add(0, plain);
          }
          Dataset<Row> first = read(reads.get(0), schema);
          Dataset<Row> rows = first;
          for (List<String> paths : reads.subList(1, reads.size())) {
            rows = rows.unionByName(read(paths, first.schema()));
          }
          return rows;
        });
  }

  private Dataset<Row> read(List<String> paths, StructType schema) {
    DataFrameReader reader = spark.read().format(spec.format()).options(options);
    if (schema != null) {
      reader = reader.schema(schema);
    }
    if (!options.containsKey("basePath") && isDirectory()) {
      // Directories such as day=1 are columns, as they are for a stream.
      reader = reader.option("basePath", spec.files());
    }
    return reader.option("__globPaths__", "false").load(paths.toArray(String[]::new));
  }

  private boolean isDirectory() {
    Path path = new Path(spec.files());
    try {
      FileSystem files = path.getFileSystem(configuration);
      return files.exists(path) && files.getFileStatus(path).isDirectory();
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private Path path(String uri) {
    Path path = new Path(URI.create(uri));
    try {
      return path.getFileSystem(configuration).makeQualified(path);
    } catch (IOException failure) {
      throw new UncheckedIOException(failure);
    }
  }

  private long logOffset(JsonNode position, String field, long usual) {
    if (position == null || position.isNull()) {
      return usual;
    }
    JsonNode offset = position.path("logOffset");
    if (!offset.isIntegralNumber() || !offset.canConvertToLong() || position.size() != 1) {
      throw new InvalidJobSpecException(
          field(field) + ": {\"logOffset\":N} is wanted, not " + position);
    }
    return offset.longValue();
  }

  private Instant modified(JsonNode position, String field, Instant usual) {
    if (position == null || position.isNull()) {
      return usual;
    }
    try {
      if (position.size() == 1) {
        return Instant.parse(position.path("modified").asText());
      }
    } catch (DateTimeException invalid) {
      // Told below.
    }
    throw new InvalidJobSpecException(
        field(field)
            + ": {\"modified\":\"2026-03-27T10:00:00Z\"} is wanted, not "
            + position
            + "; {\"logOffset\":N} needs log");
  }

  private String field(String field) {
    return "source " + spec.name() + ": " + field;
  }
}
