package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A bounded range of a source: the records after {@code from}, up to and including {@code to}, both
 * in the meaning of a recorded streaming offset. Exactly one of {@code delta}, {@code kafka} and
 * {@code files} is given.
 *
 * @param name the view by which SQL calls it
 * @param delta a Delta table's path; positions are {@link DeltaPosition}s
 * @param changes Delta: what is done with commits in the range that delete or update rows: {@code
 *     refuse} (the default), {@code skip} (the whole commit, as {@code skipChangeCommits}), {@code
 *     reemit} (all rows of the files they add, as {@code ignoreChanges}) or {@code feed} (the
 *     change data feed, with its columns)
 * @param kafka bootstrap servers; positions are objects of partitions and the offset that is read
 *     next
 * @param topic Kafka: the topic
 * @param files a directory or a pattern of input files; positions are {@code {"logOffset":N}} where
 *     {@code log} is given, else {@code {"modified":INSTANT}}
 * @param format files: Spark's name of their format
 * @param schema files: their schema as Spark DDL; null: Spark finds it out
 * @param log files: the file source's own log, such as {@code CHECKPOINT/sources/0}
 * @param notIn files: a file source's log; what it lists is left out
 * @param options options of Spark's reader; {@code ${env:NAME}} in a value is looked up where the
 *     job runs
 * @param from where it begins; null: at its beginning
 * @param to where it ends; null: with what there is now
 * @param eventTime which of the records are needed, by their event time; null: all
 */
@JsonInclude(NON_NULL)
public record SourceSpec(
    @JsonProperty(required = true) String name,
    String delta,
    String changes,
    String kafka,
    String topic,
    String files,
    String format,
    String schema,
    String log,
    String notIn,
    Map<String, String> options,
    JsonNode from,
    JsonNode to,
    EventTime eventTime) {
  private static final List<String> CHANGES = List.of("refuse", "skip", "reemit", "feed");

  /**
   * The event time of records.
   *
   * @param column a column, or an expression in SQL over the source's columns, that gives a
   *     timestamp
   * @param from records before it, or without an event time, are not needed; null: all are needed
   */
  @JsonInclude(NON_NULL)
  public record EventTime(@JsonProperty(required = true) String column, Instant from) {
    public EventTime {
      SpecProblems wrong = new SpecProblems();
      wrong.requireText(column, "eventTime.column");
      wrong.raise();
    }
  }

  public SourceSpec {
    SpecProblems wrong = new SpecProblems();
    boolean named = name != null && !name.isBlank();
    wrong.unless(named, "a source lacks its name");
    String source = "source " + (named ? name : "without a name") + ": ";
    JsonNode first = from;
    JsonNode last = to;
    wrong.unless(
        Stream.of(delta, kafka, files).filter(Objects::nonNull).count() == 1,
        source + "give one of delta, kafka and files");
    wrong.unless(delta != null || changes == null, source + "changes is for delta only");
    wrong.unless(kafka != null || topic == null, source + "topic is for kafka only");
    wrong.unless(
        files != null || Stream.of(format, schema, log, notIn).allMatch(Objects::isNull),
        source + "format, schema, log and notIn are for files only");
    if (delta != null) {
      changes = Objects.requireNonNullElse(changes, "refuse");
      wrong.unless(
          CHANGES.contains(changes),
          source + "changes: '" + changes + "' is none of " + String.join(", ", CHANGES));
      wrong.of(() -> deltaPosition(first, source + "from"));
      wrong.of(() -> deltaPosition(last, source + "to"));
    }
    if (kafka != null) {
      wrong.requireText(topic, source + "topic");
      wrong.of(() -> offsets(first, source + "from", -2));
      wrong.of(() -> offsets(last, source + "to", 0));
    }
    wrong.unless(
        files == null || format != null && !format.isBlank(),
        source + "format is missing, such as json");
    wrong.unless(
        delta == null || options == null || options.isEmpty(),
        source + "options are for kafka and files only");
    wrong.raise();
    // Sorted, so that equal specs are equal texts.
    options = options == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(options));
  }

  /** All of a Delta table, in which no commit may delete or update rows. */
  public static SourceSpec delta(String name, String table) {
    return new SourceSpec(
        name, table, null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** A range of a Delta table in which no commit may delete or update rows. */
  public static SourceSpec delta(String name, String table, DeltaPosition from, DeltaPosition to) {
    return delta(name, table).from(json(from)).to(json(to));
  }

  /** All of a Kafka topic that is still there. */
  public static SourceSpec kafka(String name, String servers, String topic) {
    return new SourceSpec(
        name, null, null, servers, topic, null, null, null, null, null, null, null, null, null);
  }

  /** All files at a place. */
  public static SourceSpec files(String name, String place, String format) {
    return new SourceSpec(
        name, null, null, null, null, place, format, null, null, null, null, null, null, null);
  }

  /** The same source with another beginning. */
  public SourceSpec from(JsonNode begin) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, log, notIn, options, begin, to,
        eventTime);
  }

  /** The same source with another end. */
  public SourceSpec to(JsonNode end) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, log, notIn, options, from, end,
        eventTime);
  }

  /** The same source, of which only some records are needed. */
  public SourceSpec eventTime(EventTime time) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, log, notIn, options, from, to,
        time);
  }

  /** The same source, read with these options. */
  public SourceSpec options(Map<String, String> settings) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, log, notIn, settings, from, to,
        eventTime);
  }

  /** The same table, where commits that delete or update rows are treated so. */
  public SourceSpec changes(String treatment) {
    return new SourceSpec(
        name, delta, treatment, kafka, topic, files, format, schema, log, notIn, options, from, to,
        eventTime);
  }

  /** The same files with this schema. */
  public SourceSpec schema(String ddl) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, ddl, log, notIn, options, from, to,
        eventTime);
  }

  /** The same files, as far as this log of a file source lists them. */
  public SourceSpec log(String place) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, place, notIn, options, from, to,
        eventTime);
  }

  /** The same files without those that this log of a file source lists. */
  public SourceSpec notIn(String place) {
    return new SourceSpec(
        name, delta, changes, kafka, topic, files, format, schema, log, place, options, from, to,
        eventTime);
  }

  /** Where a range of a Delta table begins. */
  public Optional<DeltaPosition> deltaFrom() {
    return deltaPosition(from, "from");
  }

  /** Where a range of a Delta table ends. */
  public Optional<DeltaPosition> deltaTo() {
    return deltaPosition(to, "to");
  }

  /** The offsets to read first, by partition; empty: from the beginning. */
  public SortedMap<Integer, Long> offsetsFrom() {
    return offsets(from, "from", -2);
  }

  /** The offsets after the last, by partition; empty: up to now. */
  public SortedMap<Integer, Long> offsetsTo() {
    return offsets(to, "to", 0);
  }

  /** A place as JSON. */
  public static JsonNode json(DeltaPosition position) {
    if (position == null) {
      return null;
    }
    ObjectNode node =
        JsonNodeFactory.instance
            .objectNode()
            .put("version", position.version())
            .put("index", position.index());
    if (Boolean.TRUE.equals(position.initialSnapshot())) {
      node.put("initialSnapshot", true);
    }
    if (position.tableId() != null) {
      node.put("tableId", position.tableId());
    }
    return node;
  }

  private static Optional<DeltaPosition> deltaPosition(JsonNode node, String field) {
    if (node == null || node.isNull()) {
      return Optional.empty();
    }
    List<String> problems = SpecChecker.problems(node, DeltaPosition.class);
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(field + ": " + String.join("; ", problems));
    }
    return Optional.of(
        new DeltaPosition(
            node.path("version").longValue(),
            node.path("index").longValue(),
            node.path("initialSnapshot").asBoolean() ? Boolean.TRUE : null,
            node.path("tableId").isTextual() ? node.path("tableId").asText() : null));
  }

  private static SortedMap<Integer, Long> offsets(JsonNode node, String field, long least) {
    SortedMap<Integer, Long> offsets = new TreeMap<>();
    if (node == null || node.isNull()) {
      return offsets;
    }
    if (!node.isObject() || node.isEmpty()) {
      throw new IllegalArgumentException(
          field + ": an object such as {\"0\":120} is wanted, not " + node);
    }
    node.fields()
        .forEachRemaining(
            entry -> {
              JsonNode value = entry.getValue();
              if (!entry.getKey().matches("0|[1-9][0-9]{0,8}")
                  || !value.isIntegralNumber()
                  || !value.canConvertToLong()
                  || value.longValue() < least
                  || value.longValue() == -1) {
                throw new IllegalArgumentException(
                    "%s: %s: %s is no offset of a partition"
                        .formatted(field, entry.getKey(), value));
              }
              offsets.put(Integer.parseInt(entry.getKey()), value.longValue());
            });
    return offsets;
  }
}
