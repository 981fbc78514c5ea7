package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.streammigrator.migration.StreamReport;

/** The Markdown is read as a forge reads it. */
class MarkdownReportTest {
  private static final List<StreamReport> STREAMS = ReportRecords.all();
  private static final String TEXT =
      ReportRecords.written(
          ReportFormat.MARKDOWN, ReportRecords.report("prove", 6, STREAMS), STREAMS);
  private static final List<Extension> TABLES = List.of(TablesExtension.create());
  private static final Document PAGE =
      Jsoup.parse(
          HtmlRenderer.builder()
              .extensions(TABLES)
              .build()
              .render(Parser.builder().extensions(TABLES).build().parse(TEXT)));

  @Test
  void everyTableIsOneAndHasEveryCell() {
    // Summary; of four streams the steps; of three the positions and the ledger.
    assertThat(PAGE.select("table")).hasSize(1 + 4 + 3 + 3);
    for (Element table : PAGE.select("table")) {
      int columns = table.select("th").size();
      assertThat(table.select("tbody tr"))
          .isNotEmpty()
          .allSatisfy(row -> assertThat(row.select("td")).hasSize(columns));
    }
    assertThat(PAGE.text()).doesNotContain("|--");
    assertThat(TEXT.lines().filter(line -> line.startsWith("|")).count())
        .isEqualTo(PAGE.select("tr").size() + (long) PAGE.select("table").size());
  }

  @Test
  void aNastyNameIsTextAndOnlyText() {
    String shown = ReportRecords.NASTY.replace("\u0007", "\u2407").replace("\n", " ↵ ");
    assertThat(PAGE.select("h2").eachText()).contains(shown);
    assertThat(PAGE.select("code").eachText()).contains(shown);
    assertThat(PAGE.select("script, a, img, em")).isEmpty();
  }

  @Test
  void saysWhatThePageSays() {
    assertThat(PAGE.selectFirst("h1").text()).isEqualTo("✕ orders fleet");
    assertThat(PAGE.text())
        .contains(
            "not proved, exit code 6",
            "version 47",
            "batches 42 to 57",
            "not known yet",
            "9 files, 4711 bytes",
            "What a rollback would do");
  }
}
