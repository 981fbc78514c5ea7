package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.streammigrator.migration.StreamReport;

/**
 * The page in a real browser: it complains of nothing, asks nobody for anything, and needs no
 * scrolling sideways, at the width of a telephone and of a desk, in the light and in the dark. With
 * {@code -Dreport.pictures=DIRECTORY} the pictures are kept.
 */
class ReportPageTest {
  @TempDir private static Path directory;
  private static Chromium chromium;

  @BeforeAll
  static void start() throws Exception {
    Optional<Path> program = Chromium.installed();
    if (program.isEmpty()) {
      System.err.println(
          "SKIPPED: no chromium is on the path, so no report is looked at in a browser");
    }
    assumeTrue(program.isPresent(), "chromium is installed");
    chromium = new Chromium(program.get(), directory.resolve("profile"));
  }

  @AfterAll
  static void stop() throws Exception {
    if (chromium != null) {
      chromium.close();
    }
  }

  private static Path page(String name, String command, int exit, List<StreamReport> streams)
      throws IOException {
    return Files.writeString(
        directory.resolve(name + ".html"),
        ReportRecords.written(
            ReportFormat.HTML, ReportRecords.report(command, exit, streams), streams));
  }

  @ParameterizedTest
  @CsvSource({"400,light", "400,dark", "1400,light", "1400,dark"})
  void isWholeAtEveryWidthAndInEveryScheme(int width, String scheme) throws Exception {
    Path page = page("all", "apply", 5, ReportRecords.all());
    chromium.open(page, width, scheme);

    assertThat(chromium.errors()).isEmpty();
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(width);
    assertThat(chromium.evaluate(TOO_WIDE.formatted(width)).asText()).isEmpty();
    // The style is applied, which the page's own policy could forbid.
    assertThat(chromium.evaluate("getComputedStyle(document.body).backgroundColor").asText())
        .isEqualTo(scheme.equals("dark") ? "rgb(14, 17, 21)" : "rgb(244, 245, 247)");
    assertThat(chromium.evaluate(TOO_FAINT).asText()).isEmpty();
    keep("all-" + width + "-" + scheme, chromium::picture);
  }

  /** What reaches over the window's edge, although the window does not scroll. */
  private static final String TOO_WIDE =
      "[...document.querySelectorAll('main *')].filter(e => !e.closest('thead') && !e.closest('svg')"
          + " && e.getBoundingClientRect().right > %d + 0.5).map(e => e.outerHTML.slice(0, 80)).join()";

  /** Words whose contrast to what is behind them is below 4.5, as WCAG AA asks for. */
  private static final String TOO_FAINT =
      """
      (() => {
        const rgb = c => c.match(/[\\d.]+/g).map(Number);
        const part = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
        const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
        const behind = e => {
          for (; e; e = e.parentElement) {
            const c = rgb(getComputedStyle(e).backgroundColor);
            if (c.length < 4 || c[3] > 0) return c;
          }
          return [255, 255, 255];
        };
        return [...document.querySelectorAll('body *')].filter(e =>
          [...e.childNodes].some(n => n.nodeType === 3 && n.data.trim())).filter(e => {
            const a = light(rgb(getComputedStyle(e).color)), b = light(behind(e));
            return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05) < 4.5;
          }).map(e => e.outerHTML.slice(0, 80)).join();
      })()
      """;

  @Test
  void aThousandStreamsStayFoldedAndReachable() throws Exception {
    List<StreamReport> streams = IntStream.range(0, 1000).mapToObj(ReportRecords::ofFleet).toList();
    Path page = page("fleet", "apply", 5, streams);
    chromium.open(page, 400, "light");
    assertThat(chromium.errors()).isEmpty();
    assertThat(chromium.evaluate("document.documentElement.scrollWidth").asInt())
        .isLessThanOrEqualTo(400);
    assertThat(chromium.evaluate("document.querySelectorAll('details.stream').length").asInt())
        .isEqualTo(1000);
    assertThat(
            chromium.evaluate("document.querySelectorAll('details.stream[open]').length").asInt())
        .isEqualTo(20);
    // Whoever follows a link of the summary finds the stream unfolded.
    chromium.evaluate("location.hash = '#s3'");
    assertThat(
            chromium.evaluate("document.querySelector('#s3').closest('details').open").asBoolean())
        .isTrue();
    chromium.open(page, 1400, "light");
    keep("fleet-1400-light", chromium::picture);
  }

  @Test
  void isPrintedWithWhatIsFolded() throws Exception {
    List<StreamReport> streams = IntStream.range(0, 6).mapToObj(ReportRecords::ofFleet).toList();
    chromium.open(page("print", "prove", 0, streams), 1400, "dark");
    assertThat(
            chromium.evaluate("document.querySelectorAll('details.stream[open]').length").asInt())
        .isZero();
    byte[] folded = chromium.printed();
    chromium.evaluate("document.querySelectorAll('details').forEach(d => d.open = true)");
    byte[] open = chromium.printed();
    keep("print.pdf", () -> folded);
    assertThat(pages(folded)).isEqualTo(pages(open)).isGreaterThan(3);
  }

  private static long pages(byte[] pdf) {
    return Pattern.compile("/Type\\s*/Page\\b(?!s)")
        .matcher(new String(pdf, StandardCharsets.ISO_8859_1))
        .results()
        .count();
  }

  private static void keep(String name, Callable<byte[]> file) throws Exception {
    String to = System.getProperty("report.pictures");
    if (to != null) {
      Files.createDirectories(Path.of(to));
      Files.write(Path.of(to).resolve(name.contains(".") ? name : name + ".png"), file.call());
    }
  }
}
