package org.streammigrator.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilder;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.validation.SchemaFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.Test;
import org.streammigrator.migration.StreamReport;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;
import org.xml.sax.SAXParseException;
import org.xml.sax.helpers.DefaultHandler;

/** The XML is what CI servers read. */
class JunitReportTest {

  private static Document parsed(String command, List<StreamReport> streams) throws Exception {
    String text =
        ReportRecords.written(
            ReportFormat.JUNIT, ReportRecords.report(command, 5, streams), streams);
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setSchema(
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
            .newSchema(JunitReportTest.class.getResource("/org/streammigrator/report/junit.xsd")));
    DocumentBuilder builder = factory.newDocumentBuilder();
    builder.setErrorHandler(
        new DefaultHandler() {
          @Override
          public void error(SAXParseException invalid) throws SAXParseException {
            throw invalid;
          }
        });
    return builder.parse(new InputSource(new StringReader(text)));
  }

  private static String value(Document report, String path) throws Exception {
    return XPathFactory.newInstance().newXPath().evaluate(path, report);
  }

  @Test
  void anAppliedStreamHasACaseForEachStep() throws Exception {
    Document report = parsed("apply", ReportRecords.all());
    assertThat(value(report, "count(//testsuite)")).isEqualTo("5");
    String bronze = "//testsuite[@name='orders_bronze']";
    assertThat(value(report, bronze + "/@tests")).isEqualTo("5");
    assertThat(value(report, bronze + "/testcase[@name='step write']/@time")).isEqualTo("1.200");
    assertThat(value(report, bronze + "/@timestamp")).isEqualTo("2026-03-27T10:00:00");
    assertThat(value(report, "//testsuite[@name='sessions']/testcase/skipped/@message"))
        .startsWith("provisional: the final run waits");
    assertThat(value(report, "count(//failure)")).isEqualTo("1");
    assertThat(value(report, "//failure/@type")).isEqualTo("PENDING_BATCH");
    assertThat(value(report, "//failure"))
        .contains("a finding forbids it", "what to do: stop the query");
  }

  @Test
  void aProvedStreamHasACaseForEachSource() throws Exception {
    Document report = parsed("prove", List.of(ReportRecords.delta(), ReportRecords.kafka(2)));
    assertThat(value(report, "//testcase[1]/@name"))
        .isEqualTo("source 0 (delta): old and new meet");
    // Nothing to compare before the new query has run: no case that passes.
    assertThat(value(report, "count(//testsuite[2]/testcase)")).isEqualTo("1");
  }

  @Test
  void countsAreThoseOfTheCases() throws Exception {
    Document report =
        parsed("apply", IntStream.range(0, 100).mapToObj(ReportRecords::ofFleet).toList());
    for (String kind : List.of("failure", "error")) {
      assertThat(value(report, "sum(//testsuite/@" + kind + "s)"))
          .isEqualTo(value(report, "count(//" + kind + ")"));
    }
    assertThat(value(report, "sum(//testsuite/@tests)"))
        .isEqualTo(value(report, "count(//testcase)"));
  }
}
