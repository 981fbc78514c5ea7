package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.streammigrator.migration.StreamReport;
import org.xml.sax.InputSource;

/** What a page says, and what it must not have in it. */
class HtmlReportTest {
  private static final List<StreamReport> STREAMS = ReportRecords.all();
  private static final String TEXT = html(STREAMS);
  private static final Document PAGE = Jsoup.parse(TEXT);

  private static String html(List<StreamReport> streams) {
    return ReportRecords.written(
        ReportFormat.HTML, ReportRecords.report("apply", 5, streams), streams);
  }

  @Test
  void isOneFileThatLoadsAndRunsNothing() {
    assertThat(PAGE.select("script, iframe, object, embed, img, form, base")).isEmpty();
    assertThat(PAGE.select("[style], [onclick], [onload]")).isEmpty();
    assertThat(PAGE.select("[src]")).isEmpty();
    for (Element link : PAGE.select("[href]")) {
      assertThat(link.attr("href")).matches("#s[0-9]+|data:,");
    }
    assertThat(PAGE.selectFirst("style").data()).doesNotContain("url(", "@import");
  }

  @Test
  void itsOwnPolicyAllowsItsOwnStyleAndNothingElse() throws Exception {
    String policy = PAGE.selectFirst("meta[http-equiv=Content-Security-Policy]").attr("content");
    byte[] style = PAGE.selectFirst("style").data().getBytes(StandardCharsets.UTF_8);
    String hash =
        Base64.getEncoder().encodeToString(MessageDigest.getInstance("SHA-256").digest(style));
    assertThat(policy)
        .startsWith("default-src 'none'; style-src 'sha256-" + hash + "';")
        .doesNotContain("unsafe");
  }

  @Test
  void isWellFormedXmlAsWell() throws Exception {
    String body = TEXT.replaceFirst("<!DOCTYPE html>", "");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader(body)))
                .getDocumentElement()
                .getTagName())
        .isEqualTo("html");
  }

  @Test
  void saysEverythingOfAStream() {
    Element stream = stream("orders_bronze");
    assertThat(stream.text())
        .contains(
            "orders_bronze_v1",
            "orders_bronze_v2",
            "11111111-2222-4333-8444-555555555555",
            "EXACT",
            "412 files, 94.4 MiB",
            "9 files, 4.6 KiB written",
            "batches 0 to 41; cut at the end of batch 41; new query: batches 42 to 57",
            "version 47 (batches 0..41)",
            "yes: the new query began exactly there",
            "9 files are as they were written",
            "2026-03-27 09:59:40 UTC",
            "1.2 s",
            "It would remove: file:/chk/orders_v2",
            "In workspaces it would: put the old query's job 77 of workspace old back",
            "the journal file:/plans/orders.journal");
    assertThat(stream.selectFirst("svg[role=img]").attr("aria-label"))
        .isEqualTo(
            "Oldest kept, batch 0: version 4; Cut, batch 41: version 47; New query, batch 57:"
                + " version 63");
  }

  @Test
  void drawsAPictureForEachPartitionAndNoneThatNobodyCouldRead() {
    assertThat(stream("clicks_5min").select("svg.lane")).hasSize(16);
    List<StreamReport> many = List.of(ReportRecords.kafka(300));
    Document page = Jsoup.parse(html(many));
    assertThat(page.select("svg.lane")).hasSize(24);
    assertThat(page.select("details.more tbody tr")).hasSize(300 - 24);
    assertThat(page.text()).contains("44 more partitions are left out");
  }

  @Test
  void whatIsNotKnownYetIsSaidSo() {
    Element stream = stream("clicks_5min");
    assertThat(stream.text())
        .contains("the new query has run no batch yet", "Not every batch is shown");
    assertThat(stream.select("td[data-label=New query]").eachText()).containsOnly("not known yet");
    assertThat(stream.select("td[data-label=New query read through]").text())
        .isEqualTo("not known yet");
    assertThat(stream.select("rect.unknown")).hasSize(16);
    assertThat(stream("orders_bronze").select("rect.unknown")).isEmpty();
    // The journal does not say how long the last step took.
    assertThat(stream.select("td[data-label=Took]").last().text()).isEqualTo("–");
  }

  @Test
  void batchesThatAreLeftBehindAreDrawnApart() {
    assertThat(stream("payments").select("path.line-left")).hasSize(1);
    assertThat(stream("orders_bronze").select("path.line-left")).isEmpty();
  }

  @Test
  void aNastyNameIsTextAndOnlyText() {
    String shown = ReportRecords.NASTY.replace("\u0007", "\u2407");
    assertThat(PAGE.select("h3 bdi").get(2).wholeText()).isEqualTo(shown);
    assertThat(PAGE.select("[dir=auto]").stream().map(Element::wholeText))
        .contains("file:" + shown);
    assertThat(TEXT).doesNotContain("\u0007");
  }

  @Test
  void secretsAreTakenOut() {
    for (ReportFormat format : ReportFormat.values()) {
      assertThat(ReportRecords.written(format, ReportRecords.report("apply", 5, STREAMS), STREAMS))
          .doesNotContain(ReportRecords.SECRET)
          .containsAnyOf("***", "\\*\\*\\*");
    }
  }

  @Test
  void theSameRecordsGiveTheSameBytes() {
    assertThat(html(ReportRecords.all())).isEqualTo(TEXT);
  }

  @Test
  void tablesAreTablesForThoseWhoListen() {
    assertThat(PAGE.select("table")).isNotEmpty();
    for (Element table : PAGE.select("table")) {
      List<String> columns = table.select("thead th[scope=col]").eachText();
      for (Element row : table.select("tbody tr[role=row]")) {
        assertThat(row.select("> td[role=cell]").eachAttr("data-label")).isEqualTo(columns);
      }
    }
    assertThat(PAGE.select("html[lang=en] title").text()).isEqualTo("orders fleet: apply, refused");
  }

  @Test
  void theSummaryLeadsToEachStream() {
    assertThat(PAGE.select("table.brief a").eachAttr("href"))
        .allSatisfy(link -> assertThat(PAGE.select(link)).hasSize(1))
        .hasSize(STREAMS.size());
    assertThat(PAGE.select("table.brief tbody tr").get(2).text()).contains("refused", "1 error");
  }

  @Test
  void aLargeReportNamesFirstWhatToLookAt() {
    assertThat(PAGE.text()).doesNotContain("To look at:");
    Document fleet =
        Jsoup.parse(html(IntStream.range(0, 100).mapToObj(ReportRecords::ofFleet).toList()));
    assertThat(fleet.text()).contains("To look at: stream_49 (refused), stream_99 (refused).");
    assertThat(fleet.select("details.stream[open] h3").eachText())
        .containsExactly("stream_49", "stream_99");
  }

  /** Nothing of a stream is kept once it is written: a thousand take as much memory as one. */
  @Test
  void streamsAreWrittenAsTheyCome() throws IOException {
    long[] written = {0};
    Writer counting =
        new Writer() {
          @Override
          public void write(char[] text, int from, int length) {
            written[0] += length;
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    for (ReportFormat format : ReportFormat.values()) {
      written[0] = 0;
      MigrationReportWriter writer = format.writer(counting, ReportRecords.mask());
      List<StreamReport> streams = IntStream.range(0, 20).mapToObj(ReportRecords::ofFleet).toList();
      writer.begin(ReportRecords.report("apply", 0, streams));
      for (StreamReport stream : streams) {
        long before = written[0];
        writer.stream(stream);
        assertThat(written[0] - before).as(format.name()).isGreaterThan(500);
      }
      writer.end();
    }
  }

  private static Element stream(String name) {
    return PAGE.select("details.stream").stream()
        .filter(stream -> stream.selectFirst("h3").text().equals(name))
        .findFirst()
        .orElseThrow();
  }
}
