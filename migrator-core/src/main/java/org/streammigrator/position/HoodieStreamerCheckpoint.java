package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A checkpoint of HoodieStreamer, as it stands in a Hudi commit under {@code
 * deltastreamer.checkpoint.key} or {@code streamer.checkpoint.key.v2}, and in {@code --checkpoint}.
 * That of a Kafka source is {@code topic,partition:offset,...} with the next offsets to read
 * ({@code KafkaOffsetGen.CheckpointUtils}).
 *
 * @param kind what the text is
 * @param topic the topic; empty text unless it is Kafka's
 * @param next the next offset to read by partition; empty unless it is Kafka's
 */
public record HoodieStreamerCheckpoint(Kind kind, String topic, SortedMap<Integer, Long> next) {
  private static final Pattern PARTITION = Pattern.compile("(0|[1-9][0-9]{0,8}):([0-9]{1,19})");
  private static final Pattern TIMESTAMP = Pattern.compile("[0-9]{13}");

  /** What the text is. */
  public enum Kind {
    /** A topic with offsets. */
    KAFKA,
    /** No checkpoint at all: the streamer starts where its own configuration says. */
    NONE,
    /** A time in milliseconds since the epoch, which names no record. */
    TIMESTAMP
  }

  public HoodieStreamerCheckpoint {
    requireNonNull(kind, "kind");
    requireNonNull(topic, "topic");
    next = Collections.unmodifiableSortedMap(new TreeMap<>(next));
  }

  /** Reads a text; empty if it is none of the three. */
  public static Optional<HoodieStreamerCheckpoint> parse(String text) {
    String stripped = text.strip();
    if (stripped.isEmpty()) {
      return Optional.of(new HoodieStreamerCheckpoint(Kind.NONE, "", new TreeMap<>()));
    }
    if (TIMESTAMP.matcher(stripped).matches()) {
      return Optional.of(new HoodieStreamerCheckpoint(Kind.TIMESTAMP, "", new TreeMap<>()));
    }
    String[] parts = stripped.split(",", -1);
    SortedMap<Integer, Long> next = new TreeMap<>();
    for (int i = 1; i < parts.length; i++) {
      Matcher partition = PARTITION.matcher(parts[i]);
      if (!partition.matches()) {
        return Optional.empty();
      }
      try {
        Long before =
            next.put(Integer.valueOf(partition.group(1)), Long.valueOf(partition.group(2)));
        if (before != null) {
          return Optional.empty();
        }
      } catch (NumberFormatException tooLarge) {
        return Optional.empty();
      }
    }
    return next.isEmpty() || !parts[0].matches("[a-zA-Z0-9._-]+")
        ? Optional.empty()
        : Optional.of(new HoodieStreamerCheckpoint(Kind.KAFKA, parts[0], next));
  }

  /**
   * The text for positions in Kafka; empty unless they are of one topic and no word of an option.
   */
  static Optional<String> ofKafka(SortedMap<String, SortedMap<Integer, Long>> next) {
    if (next.size() != 1
        || next.get(next.firstKey()).isEmpty()
        || next.get(next.firstKey()).values().stream().anyMatch(offset -> offset < 0)) {
      return Optional.empty();
    }
    String topic = next.firstKey();
    return Optional.of(new HoodieStreamerCheckpoint(Kind.KAFKA, topic, next.get(topic)).text());
  }

  /** The text of a Kafka checkpoint. */
  public String text() {
    return topic
        + next.entrySet().stream()
            .map(partition -> "," + partition.getKey() + ":" + partition.getValue())
            .collect(Collectors.joining());
  }
}
