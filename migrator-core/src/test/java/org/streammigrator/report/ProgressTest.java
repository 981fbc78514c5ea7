package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.streammigrator.copy.CopyProgress.Phase;
import org.streammigrator.copy.MeteredStore;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MemoryDisk;
import org.streammigrator.storage.Store;

class ProgressTest {
  private long nanos = 7;
  private final ProgressMeter meter = new ProgressMeter(() -> nanos);

  @Test
  void rateAndTimeLeftComeFromTheLastSeconds() {
    meter.began(Phase.COPY, 100, 100_000);
    assertThat(meter.now().orElseThrow().bytesPerSecond()).isEmpty();
    // Slow for ten seconds, and a hundred times as fast for the next twenty.
    for (int second = 1; second <= 10; second++) {
      pass(1000, 0, 10);
    }
    assertThat(meter.now().orElseThrow().bytesPerSecond()).hasValue(10);
    for (int second = 1; second <= 20; second++) {
      pass(1000, 1, 1000);
    }
    Progress progress = meter.now().orElseThrow();
    assertThat(progress.bytesPerSecond()).hasValue(1000);
    // 79,900 bytes at 1,000 a second, and 80 files at one a second: both have to be done.
    assertThat(progress.secondsLeft()).hasValue(80);
    assertThat(progress.percent()).isEqualTo(20);
    assertThat(progress.elapsedMillis()).isEqualTo(30_000);
  }

  @Test
  void aSingleFileIsAsFarAsItsBytes() {
    meter.began(Phase.RESTORE, 1, 1_000);
    assertThat(meter.now().orElseThrow().percent()).isZero();
    pass(1000, 0, 250);
    pass(1000, 0, 250);
    assertThat(meter.now().orElseThrow().percent()).isEqualTo(50);
    assertThat(meter.now().orElseThrow().secondsLeft()).hasValue(2);
    pass(1000, 0, 500);
    assertThat(meter.now().orElseThrow().percent()).isEqualTo(99);
    pass(1000, 1, 0);
    assertThat(meter.now().orElseThrow().percent()).isEqualTo(100);
  }

  @Test
  void aFileThatIsReadAgainCountsOnce() throws IOException {
    Store disk = new MemoryDisk();
    Location file = Location.parse("/disk/f", Path.of("/"));
    disk.write(file, Content.of(new byte[100]), Optional.empty());
    meter.began(Phase.ARCHIVE, 1, 100);
    Store told = new MeteredStore(disk, meter, file::equals);
    for (int i = 0; i < 2; i++) {
      try (InputStream in = told.open(file)) {
        in.readAllBytes();
      }
    }
    Progress progress = meter.now().orElseThrow();
    assertThat(progress.files()).isEqualTo(1);
    assertThat(progress.bytes()).isEqualTo(100);
  }

  @Test
  void nothingIsForetoldOfWhatDoesNotMove() {
    meter.began(Phase.COPY, 2, 1000);
    pass(400, 0, 500);
    assertThat(meter.now().orElseThrow().bytesPerSecond()).isEmpty();
    pass(600, 0, 0);
    Progress progress = meter.now().orElseThrow();
    assertThat(progress.bytesPerSecond()).hasValue(500);
    assertThat(progress.secondsLeft()).as("no file is done yet").isEmpty();
    for (int i = 0; i < 40; i++) {
      pass(1000, 0, 0);
    }
    assertThat(meter.now().orElseThrow().bytesPerSecond()).hasValue(0);
    assertThat(meter.now().orElseThrow().secondsLeft()).isEmpty();
  }

  @Test
  void countsThatDoNotFitSayTheLargestThereIs() {
    Pace pace = new Pace();
    pace.add(0, 0);
    pace.add(1000, 1);
    assertThat(pace.secondsTo(Long.MAX_VALUE)).hasValue(Long.MAX_VALUE / 1000 + 1);
    pace = new Pace();
    pace.add(0, 0);
    pace.add(500, Long.MAX_VALUE);
    assertThat(pace.perSecond()).hasValue(Long.MAX_VALUE);
  }

  @Test
  void whatCountsNoLongerIsTakenBack() {
    meter.began(Phase.COPY, 1, 100);
    pass(1000, 0, 60);
    meter.moved(-60);
    meter.retried();
    pass(1000, 0, 20);
    Progress progress = meter.now().orElseThrow();
    assertThat(progress.bytes()).isEqualTo(20);
    assertThat(progress.retries()).isEqualTo(1);
    assertThat(progress.percent()).isEqualTo(20);
  }

  @Test
  void hundredPercentOnlyWhenAllIsDone() {
    assertThat(progress(999_999, 1_000_000, 5, 5).percent()).isEqualTo(99);
    assertThat(progress(1, 1, 4, 5).percent()).isEqualTo(80);
    assertThat(progress(0, 0, 0, 0).percent()).isEqualTo(100);
    assertThat(progress(Long.MAX_VALUE - 1, Long.MAX_VALUE, 1, 1).percent()).isEqualTo(99);
    assertThat(progress(-5, 10, 0, 1).percent()).isZero();
  }

  @Test
  void betweenPhasesThereIsNothingToTell() {
    assertThat(meter.now()).isEmpty();
    meter.began(Phase.VERIFY, 1, 1);
    meter.ended();
    assertThat(meter.now()).isEmpty();
  }

  @Test
  void barFitsItsLine() {
    Progress progress =
        new Progress(
            Phase.COPY,
            1,
            50,
            100,
            3L << 20,
            6L << 20,
            2,
            OptionalLong.of(1536),
            OptionalLong.of(2048));
    assertThat(ProgressText.line(progress))
        .isEqualTo(
            "copy 50%  34:08 left  1.5 KiB/s  3.0 MiB of 6.0 MiB, 50 of 100 files, 2 retries");
    assertThat(ProgressText.bar(progress, 120))
        .isEqualTo(
            "copy  50% [===============               ]  34:08 left  1.5 KiB/s"
                + "  3.0 MiB of 6.0 MiB, 50 of 100 files, 2 retries");
    assertThat(ProgressText.bar(progress, 80))
        .isEqualTo(
            "copy  50% [=====     ]  34:08 left  1.5 KiB/s  3.0 MiB of 6.0 MiB, 50 of 100 fi");
    assertThat(ProgressText.bar(progress, 49))
        .isEqualTo("copy  50%  34:08 left  1.5 KiB/s  3.0 MiB of 6.0");
    assertThat(ProgressText.bar(progress, 20)).hasSize(19);
  }

  @Test
  void sizesAndTimes() {
    assertThat(ProgressText.size(0)).isEqualTo("0 B");
    assertThat(ProgressText.size(1023)).isEqualTo("1023 B");
    assertThat(ProgressText.size(1024)).isEqualTo("1.0 KiB");
    assertThat(ProgressText.size((1 << 20) - 1)).isEqualTo("1023.9 KiB");
    assertThat(ProgressText.size(Long.MAX_VALUE)).isEqualTo("7.9 EiB");
    assertThat(ProgressText.duration(0)).isEqualTo("0:00");
    assertThat(ProgressText.duration(3599)).isEqualTo("59:59");
    assertThat(ProgressText.duration(90_061)).isEqualTo("25:01:01");
  }

  @Test
  void eventsTellAnotherMeterTheSame() {
    List<String> lines = new ArrayList<>();
    meter.began(Phase.COPY, 3, 300);
    pass(1000, 1, 150);
    meter.retried();
    lines.add(ProgressEvents.event(meter.now().orElseThrow()).toString());
    pass(1000, 2, 150);
    lines.add(ProgressEvents.event(meter.now().orElseThrow()).toString());
    meter.began(Phase.VERIFY, 3, 300);
    pass(1000, 2, 200);
    lines.add(ProgressEvents.event(meter.now().orElseThrow()).toString());
    assertThat(lines.get(0))
        .isEqualTo(
            "{\"event\":\"progress\",\"phase\":\"copy\",\"files\":1,\"filesTotal\":3,\"bytes\":150,"
                + "\"bytesTotal\":300,\"retries\":1,\"elapsedMs\":1000,\"bytesPerSecond\":150,"
                + "\"secondsLeft\":2}");

    ProgressMeter other = new ProgressMeter(() -> nanos);
    ProgressEvents events = new ProgressEvents(other);
    assertThat(events.take("WARN nothing to see")).isFalse();
    assertThat(events.take("{\"event\":\"progress\" broken")).isFalse();
    assertThat(other.now()).isEmpty();
    for (String line : lines) {
      assertThat(events.take(line)).isTrue();
    }
    Progress told = other.now().orElseThrow();
    assertThat(told.phase()).isEqualTo(Phase.VERIFY);
    assertThat(told.files()).isEqualTo(2);
    assertThat(told.bytes()).isEqualTo(200);
    assertThat(told.retries()).isEqualTo(1);
  }

  private void pass(long millis, long files, long bytes) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    meter.done(files);
    meter.moved(bytes);
    meter.now();
  }

  private static Progress progress(long bytes, long bytesTotal, long files, long filesTotal) {
    return new Progress(
        Phase.COPY,
        0,
        files,
        filesTotal,
        bytes,
        bytesTotal,
        0,
        OptionalLong.empty(),
        OptionalLong.empty());
  }
}
