package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A source's recorded position, one record for each kind of source. */
public sealed interface SourceOffset {

  /** The kind of source. */
  SourceKind kind();

  /** The position as JSON; numbers are exact 64-bit integers. */
  JsonNode json();

  /**
   * A Delta table ({@code DeltaSourceOffset.scala}). Order is lexicographic by version and index,
   * and everything at or before the offset is consumed.
   *
   * @param json the offset as it stands
   * @param sourceVersion 1, or 3 at a schema change
   * @param tableId the table's id ({@code reservoirId})
   * @param version the table version ({@code reservoirVersion})
   * @param index -1 (in old forms -100): all commits before {@code version} are consumed, and
   *     nothing of it; 0 or more: files 0 to index of it are, too; -20 and -19: as -1, before and
   *     after applying a schema change
   * @param initialSnapshot whether the index counts files of the table's snapshot at {@code
   *     version} instead of files that its commit adds ({@code isStartingVersion})
   */
  record Delta(
      JsonNode json,
      int sourceVersion,
      String tableId,
      long version,
      long index,
      boolean initialSnapshot)
      implements SourceOffset {

    /** The index of "nothing of this version yet" on disk. */
    public static final long BASE_INDEX = -1;

    /** The index of "nothing of this version yet" in memory. */
    public static final long BASE_INDEX_IN_MEMORY = -100;

    /** The barrier before a schema change is applied. */
    public static final long BEFORE_SCHEMA_CHANGE = -20;

    /** The barrier after a schema change was applied. */
    public static final long AFTER_SCHEMA_CHANGE = -19;

    @Override
    public SourceKind kind() {
      return SourceKind.DELTA;
    }

    /** Whether nothing of {@link #version} is consumed, so that a reader can start there. */
    public boolean atVersionBoundary() {
      return !initialSnapshot
          && (index == BASE_INDEX || index == BASE_INDEX_IN_MEMORY || atSchemaChange());
    }

    /** Whether the position stands at a schema change. */
    public boolean atSchemaChange() {
      return index == BEFORE_SCHEMA_CHANGE || index == AFTER_SCHEMA_CHANGE;
    }
  }

  /**
   * Kafka ({@code KafkaSourceOffset}), and Event Hubs, whose offsets look the same: by topic or hub
   * and partition, the next record to read.
   *
   * @param kind {@link SourceKind#KAFKA} or {@link SourceKind#EVENTHUBS}
   * @param next by topic and partition; negative only in damaged logs, since -1 and -2 are words of
   *     the reader option {@code startingOffsets}
   */
  record Partitioned(SourceKind kind, SortedMap<String, SortedMap<Integer, Long>> next)
      implements SourceOffset {

    public Partitioned {
      requireNonNull(kind, "kind");
      SortedMap<String, SortedMap<Integer, Long>> copy = new TreeMap<>();
      next.forEach((t, p) -> copy.put(t, Collections.unmodifiableSortedMap(new TreeMap<>(p))));
      next = Collections.unmodifiableSortedMap(copy);
    }

    @Override
    public JsonNode json() {
      var topics = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, SortedMap<Integer, Long>> topic : next.entrySet()) {
        var partitions = topics.putObject(topic.getKey());
        topic.getValue().forEach((p, offset) -> partitions.put(Integer.toString(p), offset));
      }
      return topics;
    }
  }

  /**
   * A file source ({@code FileStreamSourceOffset}): the last consumed entry of its own log in
   * {@code sources/<id>}, which counts neither batches nor files. -1: nothing consumed.
   */
  record Files(long logOffset) implements SourceOffset {
    @Override
    public SourceKind kind() {
      return SourceKind.FILES;
    }

    @Override
    public JsonNode json() {
      return JsonNodeFactory.instance.objectNode().put("logOffset", logOffset);
    }
  }

  /** The rate source: seconds since its creation, of which all before this one are consumed. */
  record Rate(long seconds) implements SourceOffset {
    @Override
    public SourceKind kind() {
      return SourceKind.RATE;
    }

    @Override
    public JsonNode json() {
      return JsonNodeFactory.instance.numberNode(seconds);
    }
  }

  /** The rate-micro-batch source: the next row number, and its time in milliseconds. */
  record RateMicroBatch(long offset, long timestampMs) implements SourceOffset {
    @Override
    public SourceKind kind() {
      return SourceKind.RATE_MICRO_BATCH;
    }

    @Override
    public JsonNode json() {
      return JsonNodeFactory.instance
          .objectNode()
          .put("offset", offset)
          .put("timestamp", timestampMs);
    }
  }

  /** The source has delivered nothing yet ({@code -}). */
  record None() implements SourceOffset {
    @Override
    public SourceKind kind() {
      return SourceKind.NONE;
    }

    @Override
    public JsonNode json() {
      return JsonNodeFactory.instance.nullNode();
    }
  }

  /** Text that only its own connector understands. */
  record Unknown(String raw) implements SourceOffset {
    public Unknown {
      requireNonNull(raw, "raw");
    }

    @Override
    public SourceKind kind() {
      return SourceKind.UNKNOWN;
    }

    @Override
    public JsonNode json() {
      return Json.parse(raw).orElseGet(() -> JsonNodeFactory.instance.textNode(raw));
    }
  }
}
