package org.streammigrator.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.storage.FaultSample;

/** What a text alone tells of its source, and that no damage turns one source into another. */
class SourceOffsetsTest {
  /** One text of every kind that a text alone is taken for. */
  static final Map<SourceKind, String> TEXTS = new TreeMap<>();

  static {
    TEXTS.put(
        SourceKind.DELTA,
        "{\"sourceVersion\":1,\"reservoirId\":\"a-b\",\"reservoirVersion\":9007199254740993,"
            + "\"index\":-1,\"isStartingVersion\":false}");
    TEXTS.put(
        SourceKind.DELTA_SHARING,
        "{\"sourceVersion\":1,\"tableId\":\"a-b\",\"tableVersion\":9007199254740993,"
            + "\"index\":-1,\"isStartingVersion\":false}");
    TEXTS.put(SourceKind.KAFKA, "{\"t\":{\"0\":9007199254740993}}");
    TEXTS.put(SourceKind.FILES, "{\"logOffset\":9007199254740993}");
    TEXTS.put(SourceKind.AUTOLOADER, "{\"seqNum\":9007199254740993,\"sourceVersion\":1}");
    TEXTS.put(SourceKind.RATE_MICRO_BATCH, "{\"offset\":9007199254740993,\"timestamp\":5000}");
    TEXTS.put(
        SourceKind.ICEBERG,
        "{\"version\":1,\"snapshot_id\":9007199254740993,\"position\":1,\"scan_all_files\":false}");
    TEXTS.put(
        SourceKind.KINESIS,
        "{\"metadata\":{\"streamName\":\"s\",\"batchId\":\"7\"},\"shardId-1\":"
            + "{\"iteratorType\":\"AFTER_SEQUENCE_NUMBER\",\"iteratorPosition\":"
            + "\"49590000000000000000000000000000000000009007199254740993\"}}");
    TEXTS.put(SourceKind.HUDI, "{\"offsetCommitTime\":\"20260327100000993\"}");
    TEXTS.put(SourceKind.PULSAR, "{\"persistent://p/d/t\":[8,-84,2,16,5]}");
    TEXTS.put(
        SourceKind.MONGODB,
        "{\"version\": 1, \"offset\": {\"$timestamp\": {\"t\": 1774605600, \"i\": 993}}}");
    TEXTS.put(
        SourceKind.PAIMON, "{\"snapshotId\":9007199254740993,\"index\":2,\"scanSnapshot\":false}");
    TEXTS.put(SourceKind.PUBSUB, "{\"sourceVersion\":1,\"seqNum\":993,\"fetchEpoch\":1}");
    TEXTS.put(SourceKind.PUBSUB_LITE, "{\"0\":9007199254740993}");
  }

  private final long seed = Long.getLong("migrator.seed", System.nanoTime());

  private static SourceOffset decode(String text) {
    return SourceOffsets.decode(text, Optional.empty());
  }

  @Test
  void everyTextIsOfItsKind() {
    TEXTS.forEach((kind, text) -> assertThat(decode(text).kind()).as(text).isEqualTo(kind));
  }

  @Test
  void noOtherKindWritesIt() {
    Map<SourceKind, Set<SourceKind>> others =
        Map.of(
            SourceKind.DELTA, EnumSet.of(SourceKind.DELTA, SourceKind.DELTA_SHARING),
            SourceKind.KAFKA, EnumSet.of(SourceKind.KAFKA, SourceKind.EVENTHUBS));
    TEXTS.forEach(
        (kind, text) ->
            assertThat(Set.copyOf(SourceOffsets.readings(text)))
                .as(text)
                .isEqualTo(others.getOrDefault(kind, EnumSet.of(kind))));
  }

  @Test
  void numbersKeepEveryBit() {
    TEXTS.forEach(
        (kind, text) -> {
          if (text.contains("9007199254740993")) {
            assertThat(decode(text).json().toString()).contains("9007199254740993");
          }
        });
  }

  @Test
  void numbersBeyond64BitsAreOfNoKind() {
    for (SourceKind kind : List.of(SourceKind.DELTA, SourceKind.KAFKA, SourceKind.ICEBERG)) {
      String text = TEXTS.get(kind).replace("9007199254740993", "9223372036854775808");
      assertThat(decode(text).kind()).as(text).isEqualTo(SourceKind.UNKNOWN);
    }
  }

  @Test
  void aBareNumberIsOfNoKindUntilSomebodyTells() {
    assertThat(decode("96").kind()).isEqualTo(SourceKind.UNKNOWN);
    for (SourceKind kind :
        List.of(SourceKind.FILES, SourceKind.RATE, SourceKind.SOCKET, SourceKind.MEMORY)) {
      assertThat(SourceOffsets.decode("96", Optional.of(kind)).kind()).isEqualTo(kind);
    }
  }

  @Test
  void aHintThatDoesNotFitIsIgnoredAndWhatIsToldIsNot() {
    String text = TEXTS.get(SourceKind.KAFKA);
    assertThat(SourceOffsets.decode(text, Optional.empty(), Optional.of(SourceKind.ICEBERG)).kind())
        .isEqualTo(SourceKind.KAFKA);
    assertThat(SourceOffsets.decode(text, Optional.of(SourceKind.ICEBERG)).kind())
        .isEqualTo(SourceKind.UNKNOWN);
  }

  /** A cut text is no JSON any more: it must not be read as a shorter one. */
  @Test
  void truncatedTextsAreOfNoKind() {
    TEXTS
        .values()
        .forEach(
            text -> {
              for (int length = 0; length < text.length(); length++) {
                assertThat(decode(text.substring(0, length)).kind())
                    .as(text.substring(0, length))
                    .isEqualTo(SourceKind.UNKNOWN);
              }
            });
  }

  @Test
  void noDamageThrows() {
    Random random = new Random(seed);
    int rounds = FaultSample.ALL ? 3000 : 100;
    for (String text : TEXTS.values()) {
      for (int i = 0; i < rounds; i++) {
        char[] damaged = text.toCharArray();
        for (int n = random.nextInt(4); n >= 0; n--) {
          damaged[random.nextInt(damaged.length)] =
              "{}[]\":,-0129eE.\0ä".charAt(random.nextInt(17));
        }
        for (SourceKind kind : SourceKind.values()) {
          assertThat(SourceOffsets.decode(new String(damaged), Optional.of(kind)).json())
              .as("seed " + seed)
              .isNotNull();
        }
        assertThat(SourceOffsets.readings(new String(damaged)))
            .as("seed " + seed)
            .doesNotContain(SourceKind.NONE);
      }
    }
  }

  @Test
  void everyKindThatATextTellsIsTried() {
    EnumSet<SourceKind> mute =
        EnumSet.of(
            SourceKind.EVENTHUBS,
            SourceKind.RATE,
            SourceKind.SOCKET,
            SourceKind.MEMORY,
            SourceKind.NONE,
            SourceKind.UNKNOWN);
    assertThat(TEXTS.keySet())
        .isEqualTo(
            Set.copyOf(Arrays.stream(SourceKind.values()).filter(k -> !mute.contains(k)).toList()));
  }
}
