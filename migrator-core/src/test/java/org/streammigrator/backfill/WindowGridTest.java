package org.streammigrator.backfill;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.streammigrator.plan.WindowPlan;

class WindowGridTest {
  private static final Instant TEN = Instant.parse("2026-03-27T10:00:00Z");

  /** W03: a window is closed when its end is at or before the watermark. */
  @Test
  void firstOpenWindow() {
    assertThat(grid("5m", null).firstOpen(TEN.toEpochMilli())).isEqualTo(TEN);
    assertThat(grid("10m", "5m").firstOpen(TEN.toEpochMilli()))
        .isEqualTo(Instant.parse("2026-03-27T09:55:00Z"));
    assertThat(grid("24h", null).firstOpen(TEN.toEpochMilli()))
        .isEqualTo(Instant.parse("2026-03-27T00:00:00Z"));
    assertThat(grid("5m", null).firstOpen(TEN.toEpochMilli() - 1))
        .isEqualTo(Instant.parse("2026-03-27T09:55:00Z"));
  }

  @Test
  void cutIsLaterThanTheEvent() {
    assertThat(grid("5m", null).after(TEN)).isEqualTo(TEN.plusSeconds(300));
    assertThat(grid("5m", null).after(TEN.minusNanos(1000))).isEqualTo(TEN);
    assertThat(grid("10m", "5m").after(TEN)).isEqualTo(TEN.plusSeconds(300));
  }

  @Test
  void endOfTheLastWindowBeforeTheCut() {
    assertThat(grid("5m", null).endBefore(TEN)).isEqualTo(TEN);
    assertThat(grid("10m", "5m").endBefore(TEN)).isEqualTo(TEN.plusSeconds(300));
  }

  @Test
  void eventLiesInAllItsWindows() {
    assertThat(grid("10m", "5m").startsOf(TEN)).containsExactly(TEN.minusSeconds(300), TEN);
    assertThat(grid("10m", "3m").startsOf(TEN)).hasSizeBetween(3, 4);
  }

  @Test
  void gridCanBeMoved() {
    WindowGrid moved =
        WindowGrid.of(
            new WindowPlan(
                "ws",
                Duration.ofHours(1),
                Optional.empty(),
                Optional.of(Duration.ofMinutes(15)),
                Optional.empty()));
    assertThat(moved.after(TEN)).isEqualTo(Instant.parse("2026-03-27T10:15:00Z"));
    assertThat(moved.isStart(Instant.parse("2026-03-27T09:15:00Z"))).isTrue();
    assertThat(moved.isStart(TEN)).isFalse();
  }

  @Test
  void noSuchWindows() {
    assertThatThrownBy(() -> grid("5m", "10m")).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new WindowGrid(0, 0, 0)).isInstanceOf(IllegalArgumentException.class);
  }

  /** By brute force: no window from the cut on holds the event, and the one before it may. */
  @Test
  void cutSeparates() {
    SplittableRandom random = new SplittableRandom(20260327);
    for (int i = 0; i < 500; i++) {
      int slide = random.nextInt(1, 51);
      cutSeparates(
          new WindowGrid(slide + random.nextInt(61), slide, random.nextInt(-40, 41)),
          random.nextLong(-100_000, 100_001));
    }
  }

  private static void cutSeparates(WindowGrid grid, long event) {
    long slide = grid.slide();
    Instant at = Instant.EPOCH.plusNanos(event * 1000);
    Instant cut = grid.after(at);
    assertThat(cut).isAfter(at);
    assertThat(grid.isStart(cut)).isTrue();
    assertThat(cut.minusNanos(slide * 1000)).isBeforeOrEqualTo(at);
    List<Instant> starts = grid.startsOf(at);
    assertThat(starts).allMatch(grid::isStart).allMatch(begin -> !begin.isAfter(at));
    assertThat(starts).allMatch(begin -> grid.endOf(begin).isAfter(at));
    assertThat(starts).isNotEmpty().allMatch(begin -> begin.isBefore(cut));
    assertThat(grid.endOf(starts.get(0).minusNanos(slide * 1000))).isBeforeOrEqualTo(at);
    assertThat(grid.endBefore(cut)).isEqualTo(grid.endOf(cut.minusNanos(slide * 1000)));
  }

  private static WindowGrid grid(String size, String slide) {
    return WindowGrid.of(
        new WindowPlan(
            "ws",
            Duration.parse("PT" + size),
            Optional.ofNullable(slide).map(text -> Duration.parse("PT" + text)),
            Optional.empty(),
            Optional.empty()));
  }
}
