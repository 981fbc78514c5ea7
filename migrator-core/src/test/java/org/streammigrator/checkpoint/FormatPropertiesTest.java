package org.streammigrator.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffsets;
import org.streammigrator.storage.FaultSample;

/** What is read is written back byte for byte, and no bytes at all make a parser fall over. */
class FormatPropertiesTest {
  private static final int ROUNDS = FaultSample.ALL ? 3000 : 800;

  private final long seed = Long.getLong("migrator.seed", System.nanoTime());
  private final Random random = new Random(seed);

  private String pick(String... choices) {
    return choices[random.nextInt(choices.length)];
  }

  private String text() {
    return pick("", "a", "ä€😀", "x y", "{}", "\\\"", "t.u-v_w", "9007199254740993");
  }

  private String number() {
    return pick(
        "0", "-1", "1", Long.toString(random.nextLong()), "1e3", "1.50", "9223372036854775808");
  }

  private String value(int depth) {
    return switch (random.nextInt(depth > 2 ? 3 : 5)) {
      case 0 -> number();
      case 1 -> "\"" + text() + "\"";
      case 2 -> pick("true", "null");
      case 3 -> "[" + value(depth + 1) + pick("", " ") + "," + value(depth + 1) + "]";
      default -> object(depth + 1, List.of());
    };
  }

  private String object(int depth, List<String> members) {
    List<String> all = new ArrayList<>(members);
    for (int i = random.nextInt(4); i > 0; i--) {
      all.add(
          random.nextInt(all.size() + 1),
          "\"k" + i + text() + "\":" + pick("", " ") + value(depth));
    }
    return "{" + String.join("," + pick("", " "), all) + "}";
  }

  private String header() {
    return object(
        0,
        List.of(
            "\"batchWatermarkMs\":" + random.nextLong(),
            "\"batchTimestampMs\":" + random.nextInt(),
            "\"conf\":{\"spark.sql.shuffle.partitions\":\""
                + random.nextInt(300)
                + "\",\"x\":\"ä\"}"));
  }

  private byte[] lines(List<String> lines) {
    String end = pick("\n", "\r\n");
    return (String.join(end, lines) + pick("", end)).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void offsetLogsComeBackByteForByte() throws LogFormatException {
    for (int i = 0; i < ROUNDS; i++) {
      boolean named = random.nextBoolean();
      List<String> lines = new ArrayList<>(List.of(named ? "v2" : "v1", header()));
      int sources = random.nextInt(4);
      List<String> raw = new ArrayList<>();
      for (int s = 0; s < sources; s++) {
        raw.add(pick("-", "{\"t\":{\"0\":" + random.nextLong() + "}}", value(0)));
        lines.add((named ? "name" + s + ":" : "") + raw.get(s));
      }
      byte[] bytes = lines(lines);
      OffsetLog log = OffsetLog.parse(bytes);
      assertThat(log.bytes()).as("seed " + seed).isEqualTo(bytes);
      assertThat(log.sources())
          .as("seed " + seed)
          .extracting(OffsetLog.SourceLine::raw)
          .isEqualTo(raw);
    }
  }

  @Test
  void commitLogsComeBackByteForByte() throws LogFormatException {
    for (int i = 0; i < ROUNDS; i++) {
      long watermark = random.nextLong();
      byte[] bytes =
          lines(
              List.of(
                  pick("v1", "v2", "v3"),
                  object(0, List.of("\"nextBatchWatermarkMs\":" + watermark))));
      CommitLog log = CommitLog.parse(bytes);
      assertThat(log.bytes()).as("seed " + seed).isEqualTo(bytes);
      assertThat(log.nextBatchWatermarkMs()).as("seed " + seed).isEqualTo(watermark);
    }
  }

  @Test
  void queryMetadataComesBackByteForByte() throws LogFormatException {
    for (int i = 0; i < ROUNDS; i++) {
      String id = new java.util.UUID(random.nextLong(), random.nextLong()).toString();
      byte[] bytes = lines(List.of(object(0, List.of("\"id\":\"" + id + "\""))));
      QueryMetadata metadata = QueryMetadata.parse(bytes);
      assertThat(metadata.bytes()).as("seed " + seed).isEqualTo(bytes);
      assertThat(metadata.id()).as("seed " + seed).isEqualTo(id);
    }
  }

  @Test
  void offsetsAreDecodedWithoutLosingABit() {
    for (int i = 0; i < ROUNDS; i++) {
      long offset = random.nextLong() & Long.MAX_VALUE;
      assertThat(
              SourceOffsets.decode("{\"t\":{\"3\":" + offset + "}}", java.util.Optional.empty())
                  .json()
                  .at("/t/3")
                  .asText())
          .as("seed " + seed)
          .isEqualTo(Long.toString(offset));
    }
  }

  @Test
  void noBytesMakeAParserFallOver() {
    for (int i = 0; i < ROUNDS; i++) {
      byte[] bytes = new byte[random.nextInt(60)];
      random.nextBytes(bytes);
      if (random.nextBoolean() && bytes.length > 4) {
        bytes[0] = 'v';
        bytes[1] = '1';
        bytes[2] = '\n';
      }
      parse(bytes);
    }
    for (byte[] base :
        List.of(lines(List.of("v1", header(), "-")), lines(List.of("v2", header(), "a:-")))) {
      for (int length = 0; length <= base.length; length++) {
        parse(java.util.Arrays.copyOf(base, length));
      }
      for (int bit = 0; bit < base.length * 8; bit++) {
        byte[] flipped = base.clone();
        flipped[bit / 8] ^= (byte) (1 << bit % 8);
        parse(flipped);
      }
    }
  }

  /** Either a value or a reason; anything else fails the test. */
  private static void parse(byte[] bytes) {
    try {
      assertThat(OffsetLog.parse(bytes).bytes()).isEqualTo(bytes);
    } catch (LogFormatException damaged) {
      assertThat(damaged.getMessage()).isNotBlank();
    }
    try {
      assertThat(CommitLog.parse(bytes).bytes()).isEqualTo(bytes);
    } catch (LogFormatException damaged) {
      assertThat(damaged.getMessage()).isNotBlank();
    }
    try {
      assertThat(QueryMetadata.parse(bytes).bytes()).isEqualTo(bytes);
    } catch (LogFormatException damaged) {
      assertThat(damaged.getMessage()).isNotBlank();
    }
    String text = new String(bytes, StandardCharsets.ISO_8859_1);
    for (SourceKind kind : SourceKind.values()) {
      assertThat(SourceOffsets.decode(text, java.util.Optional.of(kind))).isNotNull();
    }
  }
}
