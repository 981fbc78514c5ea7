package org.streammigrator.report;

import java.io.IOException;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamReport;

/**
 * Writes a report stream by stream, so that one of a thousand streams takes no more memory than one
 * of one. {@link #begin} comes first, {@link #end} last, and in between each stream once, in the
 * order of {@link MigrationReport#streams}. The same records give the same bytes.
 */
public sealed interface MigrationReportWriter permits HtmlReport, JunitReport, MarkdownReport {
  /** Stands near the beginning of every report, so that a later run may replace it. */
  String MARK = " migrator report ";

  /** Writes what comes before the streams. */
  void begin(MigrationReport report) throws IOException;

  /** Writes a stream. */
  void stream(StreamReport stream) throws IOException;

  /** Writes what comes after the streams, and flushes; the destination is left open. */
  void end() throws IOException;
}
