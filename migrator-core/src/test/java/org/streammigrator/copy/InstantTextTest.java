package org.streammigrator.copy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class InstantTextTest {
  private final InstantText text = new InstantText();

  @Test
  void isTheTextOfTheInstant() {
    for (String time :
        List.of(
            "1970-01-01T00:00:00Z",
            "1970-01-01T00:00:00.001Z",
            "1970-01-01T00:00:00.000001Z",
            "1970-01-01T00:00:00.000000001Z",
            "1969-12-31T23:59:59.999999999Z",
            "1969-12-31T23:59:59.100Z",
            "2024-02-29T23:59:00Z",
            "2024-02-29T23:59:00.120300Z",
            "-0001-01-01T00:00:00.500Z",
            "+10000-01-01T00:00:00.000050Z")) {
      assertThat(text.of(Instant.parse(time))).isEqualTo(Instant.parse(time).toString());
    }
    assertThat(text.of(Instant.MIN)).isEqualTo(Instant.MIN.toString());
    assertThat(text.of(Instant.MAX)).isEqualTo(Instant.MAX.toString());
  }

  @Test
  void isTheTextOfAnyInstant() {
    Random random = new Random(11);
    long second = 0;
    for (int i = 0; i < 20_000; i++) {
      if (random.nextBoolean()) {
        second = random.nextLong() % 400_000_000_000L;
      }
      int unit = new int[] {1, 1_000, 1_000_000, 1_000_000_000}[random.nextInt(4)];
      Instant time = Instant.ofEpochSecond(second, random.nextInt(1_000_000_000) / unit * unit);
      assertThat(text.of(time)).isEqualTo(time.toString());
    }
  }
}
