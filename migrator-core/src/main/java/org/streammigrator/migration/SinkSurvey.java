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
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;

/** Reads what a stream's sinks remember of its batches. */
final class SinkSurvey {
  private final DeltaTables tables;
  private final FileSinks fileSinks;
  private final SinkLogSurvey logs;

  SinkSurvey(DeltaTables tables, FileSinks fileSinks, SinkLogSurvey logs) {
    this.tables = requireNonNull(tables, "tables");
    this.fileSinks = requireNonNull(fileSinks, "fileSinks");
    this.logs = requireNonNull(logs, "logs");
  }

  /**
   * What the sinks remember of the old query's batches.
   *
   * @param last the last batch, as far as all sinks together tell
   * @param newest the newest batch that any sink would skip if the new query ran it
   * @param moves the file sinks whose log has to be written at a new place
   * @param areAsked whether every sink that keeps a record could be asked for it
   */
  record Records(OptionalLong last, OptionalLong newest, List<SinkMove> moves, boolean areAsked) {
    static final Records NONE =
        new Records(OptionalLong.empty(), OptionalLong.empty(), List.of(), true);

    Records {
      moves = List.copyOf(moves);
    }
  }

  Records survey(StreamPlan stream, Checkpoint checkpoint, List<Finding> findings)
      throws IOException {
    boolean keep =
        stream.identity().orElse(Identity.KEEP) == Identity.KEEP
            && stream.strategy() != Strategy.START_OPTIONS;
    List<Long> records = new ArrayList<>();
    OptionalLong newest = OptionalLong.empty();
    List<SinkMove> moves = new ArrayList<>();
    int keyed = 0;
    boolean areAsked = true;
    for (SinkPlan sink : stream.sink()) {
      if (!keyedByBatch(sink)) {
        if (sink.address().kind().isPath()) {
          findings.add(
              Finding.info(
                  FindingCode.NOT_AVAILABLE,
                  "sink",
                  "this version asks Delta tables and file sinks by their paths only; what "
                      + sink.address().text()
                      + " has recorded is not known",
                  "look yourself whether it has the newest batch if one is pending"));
        }
        continue;
      }
      keyed++;
      Location place = sink.address().location().orElseThrow();
      try {
        Optional<Location> log = logs.log(stream, sink, findings, moves);
        OptionalLong last =
            log.isPresent() ? fileSinks.lastEntry(log.get()) : lastBatch(sink, place, checkpoint);
        last.ifPresent(records::add);
        boolean skips =
            keep || sink.address().kind() == SinkKind.FILES || sink.txnAppId().isPresent();
        if (skips && last.orElse(-1) > newest.orElse(-1)) {
          newest = last;
        }
        if (last.isEmpty()
            && sink.address().kind() == SinkKind.FILES
            && stream.strategy() != Strategy.START_OPTIONS) {
          logMissing(place, checkpoint).ifPresent(findings::add);
        }
      } catch (NoSuchFileException missing) {
        if (sink.address().kind() == SinkKind.FILES
            && stream.strategy() != Strategy.START_OPTIONS) {
          logMissing(place, checkpoint).ifPresent(findings::add);
        }
        if (keep) {
          findings.add(
              Finding.error(
                  FindingCode.SINK_NOT_FOUND,
                  place.toString(),
                  "the query goes on into this sink, and nothing is there",
                  "check `sink`; for another sink say identity: new"));
        }
      } catch (IOException unreadable) {
        if (place.isLocal()) {
          findings.add(Surveyor.unreadable(place, unreadable));
        } else {
          keyed--;
          areAsked = false;
          findings.add(Surveyor.notAsked(place, unreadable));
        }
      }
    }
    if (records.isEmpty()) {
      return new Records(OptionalLong.empty(), OptionalLong.empty(), moves, areAsked);
    }
    long lowest = records.stream().mapToLong(Long::longValue).min().orElseThrow();
    long highest = records.stream().mapToLong(Long::longValue).max().orElseThrow();
    boolean agree = lowest == highest && records.size() == keyed;
    if (!agree) {
      findings.add(
          Finding.error(
              FindingCode.SINK_BEHIND,
              "sink",
              "the sinks do not agree on the last batch: the records go from "
                  + (records.size() < keyed ? "none" : lowest)
                  + " to "
                  + highest,
              "let the old query run until all of its sinks have the same batch"));
    }
    boolean asExpected =
        highest <= checkpoint.lastPlanned().orElse(-1)
            && lowest >= checkpoint.lastCommitted().orElse(-1);
    if (keyed < stream.sink().size() && !checkpoint.pending().isEmpty() && asExpected) {
      findings.add(
          Finding.info(
              FindingCode.NOT_AVAILABLE,
              "sink",
              "of "
                  + stream.sink().size()
                  + " sinks "
                  + keyed
                  + (keyed == 1 ? " has" : " have")
                  + " a record of batches that can be read (at batch "
                  + lowest
                  + "), so that nothing tells whether the pending batch is in all of them",
              "look into the other sinks for what the pending batch wrote"));
      return new Records(OptionalLong.empty(), newest, moves, areAsked);
    }
    // Where they differ, each sink decides of a pending batch that is carried along.
    return new Records(
        agree || checkpoint.pending().isEmpty() ? OptionalLong.of(lowest) : OptionalLong.empty(),
        newest,
        moves,
        areAsked);
  }

  /** A file sink's log must have every batch since its last compaction: Spark reads them then. */
  private static Optional<Finding> logMissing(Location sink, Checkpoint checkpoint) {
    return checkpoint.lastCommitted().isEmpty()
        ? Optional.empty()
        : Optional.of(
            Finding.error(
                FindingCode.FILE_SINK_LOG_MISSING,
                sink.toString(),
                "there is no _spark_metadata, and the batch numbers go on after "
                    + checkpoint.lastCommitted().getAsLong()
                    + ": Spark stops at the next compaction of that log, which wants the batches"
                    + " before",
                "name the directory that the old query wrote to, with its _spark_metadata; for a new"
                    + " directory start with a checkpoint whose batches begin at 0"));
  }

  private OptionalLong lastBatch(SinkPlan sink, Location place, Checkpoint checkpoint)
      throws IOException {
    return switch (sink.address().kind()) {
      case DELTA -> {
        Optional<String> id = sink.txnAppId().or(checkpoint::queryId);
        if (id.isEmpty()) {
          yield OptionalLong.empty();
        }
        yield tables.lastTransaction(place, id.get());
      }
      case FILES -> fileSinks.lastBatch(place);
      case ICEBERG, KAFKA, CUSTOM -> OptionalLong.empty();
    };
  }

  static boolean keyedByBatch(SinkPlan sink) {
    return switch (sink.address().kind()) {
      case DELTA, FILES -> sink.address().location().isPresent();
      case ICEBERG, KAFKA, CUSTOM -> false;
    };
  }
}
