package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.streammigrator.copy.CopyProgress.Phase;

class ProgressFormTest {
  private final List<String> lines = new ArrayList<>();
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final PrintStream out = new PrintStream(screen, true, StandardCharsets.UTF_8);

  @Test
  void shortWorkHasNoLines() {
    ProgressForm form = new ProgressForm.Lines(lines::add);
    form.show(at(200, 30), false);
    form.show(at(1_900, 90), false);
    form.show(at(2_100, 100), true);
    assertThat(lines).isEmpty();
  }

  @Test
  void longWorkHasALineForEachTenthOrTenSeconds() {
    ProgressForm form = new ProgressForm.Lines(lines::add);
    for (int second = 0; second <= 60; second++) {
      // A tenth every three seconds until the half, and then nothing more.
      form.show(at(second * 1000L, Math.min(50, second * 10 / 3)), false);
    }
    form.show(at(61_000, 100), true);
    assertThat(lines)
        .extracting(line -> line.replaceAll(" {2}.*", ""))
        .containsExactly(
            "copy 6%",
            "copy 16%",
            "copy 26%",
            "copy 36%",
            "copy 46%",
            "copy 50%",
            "copy 50%",
            "copy 50%",
            "copy 50%",
            "copy 100%");
    assertThat(lines).noneMatch(line -> line.contains("\r") || line.contains("\u001b"));
  }

  @Test
  void eventsComeOnceASecondAndAtTheEnd() {
    List<Long> shown = new ArrayList<>();
    ProgressForm form = new ProgressForm.Events(progress -> shown.add(progress.elapsedMillis()));
    for (long millis = 0; millis <= 2_600; millis += 200) {
      form.show(at(millis, 1), false);
    }
    form.show(at(2_700, 100), true);
    form.show(at(100, 100), true);
    assertThat(shown).containsExactly(1_000L, 2_000L, 2_700L, 100L);
  }

  @Test
  void barIsClearedAtTheEndAndOnlyIfItWasDrawn() {
    ProgressForm bar = new ProgressForm.Bar(out, 100);
    bar.clear();
    bar.show(at(10, 100), true);
    assertThat(screen()).isEmpty();
    bar.show(at(200, 10), false);
    bar.show(at(400, 20), false);
    bar.show(at(600, 100), true);
    bar.clear();
    String clear = "\r\u001b[K";
    assertThat(screen()).startsWith(clear + "copy  10% [").endsWith("files" + clear);
    assertThat(screen().split("copy", -1)).hasSize(3);
    assertThat(screen()).doesNotContain("\n");
  }

  @Test
  void displayLeavesACleanLineWhenItIsClosedInTheMiddle() throws InterruptedException {
    ProgressDisplay display = new ProgressDisplay(new ProgressForm.Bar(out, 100));
    display.began(Phase.COPY, 2, 20);
    display.moved(5);
    long deadline = System.nanoTime() + 30_000_000_000L;
    while (!screen().contains("5 B of 20 B") && System.nanoTime() < deadline) {
      Thread.sleep(20);
    }
    assertThat(screen()).contains("copy   0% [").contains("5 B of 20 B, 0 of 2 files");
    display.close();
    String closed = screen();
    assertThat(closed).endsWith("\r\u001b[K");
    display.began(Phase.COPY, 2, 20);
    display.ended();
    assertThat(screen()).isEqualTo(closed);
  }

  private String screen() {
    return screen.toString(StandardCharsets.UTF_8);
  }

  private static Progress at(long millis, int percent) {
    return new Progress(
        Phase.COPY, millis, percent, 100, percent, 100, 0, OptionalLong.of(5), OptionalLong.of(7));
  }
}
