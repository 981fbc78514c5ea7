package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;

/**
 * What sinks make of batches that a query plans anew after it went back. A sink that knows their
 * numbers skips them, whatever they then hold, and going back with the table's own history does not
 * take that record back; any other writes their rows a second time.
 *
 * <ul>
 *   <li>Delta knows a query by its id or its {@code txnAppId} ({@code DeltaSink.addBatch}, {@code
 *       txnAppId} and {@code txnVersion} of {@code DeltaWriter}).
 *   <li>A file sink knows numbers alone ({@code FileStreamSink.addBatch}).
 *   <li>Iceberg knows a query by its id ({@code SparkWrite.StreamingAppend}).
 * </ul>
 */
final class RewindSinks {
  private final DeltaTables tables;
  private final FileSinks fileSinks;
  private final SinkLogSurvey logs;
  private final StreamPlan stream;
  private final Checkpoint checkpoint;
  private final long batch;
  private final boolean isKept;
  private final List<Finding> findings;
  private final List<String> keys = new ArrayList<>();
  private final List<SinkMove> moves = new ArrayList<>();
  private boolean repeats;
  private boolean isAbsorbed = true;
  private long newest;

  /**
   * Prepares the look.
   *
   * @param checkpoint the old checkpoint as it is
   * @param batch the batch to go back to
   * @param findings gets what speaks against it, or should be known
   */
  RewindSinks(
      DeltaTables tables,
      FileSinks fileSinks,
      SinkLogSurvey logs,
      StreamPlan stream,
      Checkpoint checkpoint,
      long batch,
      List<Finding> findings) {
    this.tables = requireNonNull(tables, "tables");
    this.fileSinks = requireNonNull(fileSinks, "fileSinks");
    this.logs = requireNonNull(logs, "logs");
    this.stream = requireNonNull(stream, "stream");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.batch = batch;
    this.isKept = stream.identity().orElse(Identity.KEEP) == Identity.KEEP;
    this.findings = requireNonNull(findings, "findings");
    this.newest =
        Math.max(checkpoint.lastPlanned().orElse(-1), checkpoint.commits().newest().orElse(-1));
  }

  /** Looks at every sink. */
  void look() throws IOException {
    if (stream.sink().isEmpty()) {
      repeats = true;
      isAbsorbed = false;
      findings.add(
          Finding.warning(
              FindingCode.SINK_ROWS_REPEATED,
              "sink",
              "the plan names no sink, so that nothing is known of what it makes of "
                  + taken()
                  + ": a Delta table or a file sink that has them "
                  + (isKept ? "" : "by number ")
                  + "skips whatever they hold then, any other gets their rows twice",
              "name the sink"));
      return;
    }
    for (SinkPlan sink : stream.sink()) {
      look(sink);
    }
  }

  /** The newest batch that is taken back. */
  long newest() {
    return newest;
  }

  /** The logs of file sinks that moved, as far as they are carried over. */
  List<SinkMove> moves() {
    return List.copyOf(moves);
  }

  /** What going on gives, if no finding forbids it. */
  Exactness exactness() {
    return repeats ? Exactness.OVERLAP : Exactness.EXACT;
  }

  /** What takes up the rows that are written again; empty if nothing is known to. */
  Optional<String> absorbed() {
    return repeats && isAbsorbed ? Optional.of(String.join("; ", keys)) : Optional.empty();
  }

  private void look(SinkPlan sink) throws IOException {
    boolean isPlace = sink.address().location().isPresent();
    switch (sink.address().kind()) {
      case DELTA -> delta(sink, isPlace);
      case FILES -> files(sink, isPlace);
      case ICEBERG -> unknownRecord(sink, "this version does not ask Iceberg tables");
      case KAFKA, CUSTOM -> repeated(sink, "keeps no record of batches");
    }
  }

  private void delta(SinkPlan sink, boolean isPlace) throws IOException {
    if (!isPlace) {
      unknownRecord(sink, "this version asks tables by their paths only");
      return;
    }
    Optional<String> id = sink.txnAppId().or(checkpoint::queryId);
    OptionalLong record;
    try {
      record =
          tables.lastTransaction(sink.address().location().orElseThrow(), id.orElse("unknown"));
    } catch (NoSuchFileException missing) {
      findings.add(RewindFindings.notFound(sink, isKept, batch));
      return;
    } catch (IOException unreadable) {
      Location place = sink.address().location().get();
      if (place.isLocal()) {
        findings.add(Surveyor.unreadable(place, unreadable));
      } else {
        unknownRecord(sink, "it cannot be asked from here: " + unreadable.getMessage());
      }
      return;
    }
    if (record.isEmpty()) {
      repeated(
          sink,
          "has no record of "
              + (sink.txnAppId().isPresent() ? "txnAppId " + id.get() : "this query")
              + ", so that it writes whatever comes");
    } else if (record.getAsLong() > batch) {
      newest = Math.max(newest, record.getAsLong());
      if (isKept || sink.txnAppId().isPresent()) {
        skips(sink, record.getAsLong());
      } else {
        repeated(sink, "has the batches up to " + record.getAsLong() + " of the old query id");
      }
    } else if (record.getAsLong() < batch) {
      findings.add(RewindFindings.behind(sink, record.getAsLong(), batch));
    }
  }

  private void files(SinkPlan sink, boolean isPlace) throws IOException {
    OptionalLong last = OptionalLong.empty();
    boolean isRead = isPlace;
    if (isPlace) {
      try {
        Optional<Location> former = logs.log(stream, sink, OptionalLong.of(batch), findings, moves);
        if (former.isPresent()) {
          moved(sink, fileSinks.lastEntry(former.get()).orElse(-1));
          return;
        }
        last = fileSinks.lastBatch(sink.address().location().orElseThrow());
      } catch (NoSuchFileException missing) {
        findings.add(RewindFindings.notFound(sink, isKept, batch));
        return;
      } catch (IOException unreadable) {
        if (sink.address().location().get().isLocal()) {
          throw unreadable;
        }
        isRead = false;
      }
    }
    if (!isRead || last.orElse(-1) > batch) {
      findings.add(
          Finding.error(
              FindingCode.FILE_SINK_LOG_AHEAD,
              sink.address().text(),
              (last.isPresent()
                      ? "the log of this file sink, _spark_metadata, has the batches up to "
                          + last.getAsLong()
                      : "this version cannot read the log of this file sink, _spark_metadata, which"
                          + " surely has the batches after "
                          + batch)
                  + ", and it skips every number that it has, whichever query writes it: what "
                  + taken()
                  + " then read would be lost",
              "no identity helps; copy the output to another place and say so with `rewrite`: the log"
                  + " there gets the batches up to "
                  + batch
                  + " only"));
    } else if (last.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.FILE_SINK_LOG_MISSING,
              sink.address().text(),
              "there is no _spark_metadata, and the batch numbers go on after "
                  + batch
                  + ": Spark stops at the next compaction of that log, which wants the batches"
                  + " before",
              "name the directory that the old query wrote to, with its _spark_metadata"));
    } else if (last.getAsLong() < batch) {
      findings.add(RewindFindings.behind(sink, last.getAsLong(), batch));
    }
  }

  /** A file sink whose output moved; its log at the new place ends at the batch. */
  private void moved(SinkPlan sink, long last) {
    newest = Math.max(newest, last);
    if (last < batch) {
      findings.add(RewindFindings.behind(sink, last, batch));
      return;
    }
    findings.add(
        Finding.info(
            FindingCode.FILE_SINK_LOG_AHEAD,
            sink.address().text(),
            "the log at the new place ends at batch "
                + batch
                + ": readers that go by it do not see files of "
                + taken()
                + ", of which some may lie there",
            "readers that do not go by _spark_metadata see them: remove them there"));
  }

  /** A table with a record that nobody reads here, which the committed batches must have left. */
  private void unknownRecord(SinkPlan sink, String why) {
    if (isKept || sink.txnAppId().isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.SINK_BATCHES_SKIPPED,
              sink.address().text(),
              why
                  + "; a table that the query wrote has a record of its batches up to "
                  + newest
                  + ", and would skip what "
                  + taken()
                  + " then hold: it would be lost",
              anew(sink)));
    } else {
      repeated(sink, "has, for all that is known, the batches up to " + newest);
    }
  }

  private void skips(SinkPlan sink, long record) {
    findings.add(
        Finding.error(
            FindingCode.SINK_BATCHES_SKIPPED,
            sink.address().text(),
            "the table has a record of batch "
                + record
                + (sink.txnAppId().isPresent()
                    ? " of txnAppId " + sink.txnAppId().get()
                    : " of this query id")
                + ", and the rewound query plans "
                + taken()
                + " anew: the table would skip them, whatever they then read, and every batch would"
                + " be reported as done. RESTORE of the table does not take the record back",
            anew(sink)));
    if (!isKept && sink.txnAppId().isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.TXN_APP_ID_REUSED,
              sink.address().text(),
              "identity: new gives the query another id, and the query's own code goes on to write"
                  + " with txnAppId "
                  + sink.txnAppId().get()
                  + ", by which the table knows its batches",
              anew(sink)));
    }
  }

  private String anew(SinkPlan sink) {
    return sink.txnAppId().isPresent()
        ? "take another txnAppId in the query's code and name it here, with identity: new, and write"
            + " with MERGE on `keys`"
        : "take identity: new, and write with MERGE on the columns that the plan names as `keys` of"
            + " this sink";
  }

  /** Rows that come a second time. */
  private void repeated(SinkPlan sink, String why) {
    repeats = true;
    boolean hasKeys = sink.merges();
    boolean needsKeys =
        sink.address().kind() == SinkKind.DELTA || sink.address().kind() == SinkKind.ICEBERG;
    isAbsorbed &= hasKeys;
    String message = "it " + why + ", and gets the rows of " + taken() + " once more";
    if (hasKeys) {
      keys.add(
          sink.address().text() + " takes them up by MERGE on " + String.join(", ", sink.keys()));
      findings.add(
          Finding.warning(
              FindingCode.SINK_ROWS_REPEATED,
              sink.address().text(),
              message
                  + "; MERGE on "
                  + String.join(", ", sink.keys())
                  + " puts them in the place of what is there, and a row that only the batches taken"
                  + " back had written stays",
              "make sure that the query writes with MERGE on these columns, and without a"
                  + " txnAppId that the table knows"));
      return;
    }
    findings.add(
        needsKeys
            ? Finding.error(
                FindingCode.SINK_ROWS_REPEATED,
                sink.address().text(),
                message + "; without `keys` nothing takes them up",
                "name the columns that a row is unique by as `keys`, and write with MERGE on them; or"
                    + " delete from the table what these batches wrote, and accept"
                    + " SINK_ROWS_REPEATED")
            : Finding.warning(
                FindingCode.SINK_ROWS_REPEATED,
                sink.address().text(),
                message,
                "make sure that whoever reads it takes rows that come twice"));
  }

  private String taken() {
    return newest == batch + 1 ? "batch " + newest : "batches " + (batch + 1) + ".." + newest;
  }
}
