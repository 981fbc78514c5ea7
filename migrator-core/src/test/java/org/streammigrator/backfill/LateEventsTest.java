package org.streammigrator.backfill;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.SourceSpec;

class LateEventsTest {
  private static final Instant TEN = Instant.parse("2026-03-27T10:00:00Z");
  private static final WindowGrid FIVE_MINUTES = new WindowGrid(300_000_000, 300_000_000, 0);

  /** The windows of 10:00 and 10:05 are the job's. */
  private static final LateEvents LATE =
      new LateEvents(FIVE_MINUTES, boundary(TEN, minute(10), minute(10)));

  @Test
  void batchesThatDropTheSameAreOnePart() {
    List<BackfillSpec.Late> parts =
        LATE.parts(
            List.of(
                batch(minute(4), 1, 2),
                batch(minute(5), 2, 4),
                batch(minute(9), 4, 5),
                batch(minute(10), 5, 6),
                batch(minute(99), 6, 9)));
    assertThat(parts).extracting(BackfillSpec.Late::before).containsExactly(minute(5), minute(10));
    assertThat(parts)
        .extracting(part -> part.source().deltaFrom().orElseThrow().version())
        .containsExactly(2L, 5L);
    assertThat(parts)
        .extracting(part -> part.source().deltaTo().orElseThrow().version())
        .containsExactly(5L, 9L);
  }

  @Test
  void batchesWithoutDataOrWatermarkAreLeftOut() {
    assertThat(LATE.parts(List.of(batch(minute(7), 3, 3)))).isEmpty();
    assertThat(LATE.parts(List.of(batch(Instant.EPOCH, 3, 4)))).isEmpty();
    assertThat(LATE.parts(List.of())).isEmpty();
  }

  @Test
  void sourceThatHadNotBegunIsReadFromItsBeginning() {
    List<BackfillSpec.Late> parts =
        LATE.parts(
            List.of(new LateEvents.Batch(minute(7).toEpochMilli(), List.of(), List.of(source(2)))));
    assertThat(parts).hasSize(1);
    assertThat(parts.get(0).source().from()).isNull();
  }

  /** By brute force: an event is late if a window of the job that it lies in has ended. */
  @Test
  void onlyEventsOfClosedWindowsAreLate() {
    SplittableRandom random = new SplittableRandom(20260327);
    int late = 0;
    for (int i = 0; i < 2000; i++) {
      long slide = random.nextInt(1, 20) * 1000L;
      WindowGrid grid = new WindowGrid(slide + random.nextInt(40) * 1000L, slide, 0);
      Instant first = random.nextInt(4) == 0 ? null : micros(slide * random.nextInt(100, 110));
      Instant cut = micros(slide * random.nextInt(110, 120));
      long watermarkMs = random.nextInt(1, 200) * slide / 1000;
      Instant event = micros(slide * 90 + random.nextLong(slide * 40));
      boolean expected =
          grid.startsOf(event).stream()
              .filter(start -> first == null || !start.isBefore(first))
              .filter(start -> start.isBefore(cut))
              .anyMatch(start -> !grid.endOf(start).isAfter(Instant.ofEpochMilli(watermarkMs)));
      List<BackfillSpec.Late> parts =
          new LateEvents(grid, boundary(first, cut, cut))
              .parts(List.of(batch(Instant.ofEpochMilli(watermarkMs), 0, 1)));
      boolean told =
          (first == null || !event.isBefore(first))
              && parts.stream().anyMatch(part -> event.isBefore(part.before()));
      assertThat(told)
          .as("%s, first %s, cut %s, watermark %d, %s", grid, first, cut, watermarkMs, event)
          .isEqualTo(expected);
      late += expected ? 1 : 0;
    }
    assertThat(late).isBetween(200, 1800);
  }

  private static Boundary boundary(Instant first, Instant cut, Instant end) {
    return new Boundary(cut, first, List.of(), 1, null, Map.of(), end);
  }

  private static LateEvents.Batch batch(Instant watermark, long from, long to) {
    return new LateEvents.Batch(
        watermark.toEpochMilli(), List.of(source(from)), List.of(source(to)));
  }

  private static SourceSpec source(long version) {
    return SourceSpec.delta("orders", "/orders", null, new DeltaPosition(version, -1))
        .eventTime(new SourceSpec.EventTime("at", TEN));
  }

  private static Instant minute(int minute) {
    return TEN.plusSeconds(60L * minute);
  }

  private static Instant micros(long micros) {
    return Instant.EPOCH.plusNanos(micros * 1000);
  }
}
