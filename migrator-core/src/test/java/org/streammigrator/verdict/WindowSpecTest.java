package org.streammigrator.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The first window that is still open, against its definition. */
class WindowSpecTest {
  private static final long MINUTE = 60_000;

  private final long seed = Long.getLong("migrator.seed", System.nanoTime());

  @ParameterizedTest
  @CsvSource({
    "5m, 0, 0",
    "5m, 299999, 0",
    "5m, 300000, 300000",
    "5m, -1, -300000",
    "5m, -300000, -300000",
    "5m, -300001, -600000",
    "10m/5m, 0, -300000",
    "10m/5m, 300000, 0",
    "10m/5m, 299999, -300000",
    "10m/3m, 0, -540000",
    "1d, 1774605600000, 1774569600000",
    "1ms, 7, 7"
  })
  void isTheFirstThatEndsAfterTheWatermark(String window, long watermark, long start) {
    assertThat(WindowSpec.parse(window).firstOpenStart(watermark)).hasValue(start);
  }

  @Test
  void noEarlierWindowEndsAfterTheWatermark() {
    Random random = new Random(seed);
    for (int i = 0; i < 10_000; i++) {
      long size = 1 + random.nextInt(1_000_000);
      long slide = 1 + random.nextInt((int) size);
      long watermark = random.nextLong() >> random.nextInt(60) >> 2;
      long start = new WindowSpec(size, slide).firstOpenStart(watermark).orElseThrow();
      assertThat(start + size).as("seed " + seed).isGreaterThan(watermark);
      assertThat(start - slide + size).as("seed " + seed).isLessThanOrEqualTo(watermark);
      assertThat(Math.floorMod(start, slide)).as("seed " + seed).isZero();
    }
  }

  @Test
  void aWatermarkBeyondAllTimesHasNone() {
    assertThat(new WindowSpec(MINUTE, MINUTE).firstOpenStart(Long.MIN_VALUE)).isEmpty();
    assertThat(new WindowSpec(MINUTE, MINUTE).firstOpenStart(Long.MAX_VALUE)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"5", "m", "-5m", "5m/", "0m", "5m/6m", "1.5h", "999999999999999d"})
  void refusesWhatIsNoWindow(String text) {
    assertThatThrownBy(() -> WindowSpec.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
