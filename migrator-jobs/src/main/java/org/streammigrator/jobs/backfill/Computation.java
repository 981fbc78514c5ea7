package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;
import static org.apache.spark.sql.functions.count;
import static org.apache.spark.sql.functions.lit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Observation;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.WindowRange;
import org.streammigrator.jobs.rows.Columns;
import org.streammigrator.jobs.rows.Queries;
import org.streammigrator.jobs.rows.Windows;
import org.streammigrator.jobs.source.EventTimes;
import org.streammigrator.jobs.source.SourceRead;
import scala.concurrent.Await;
import scala.concurrent.duration.Duration;

/**
 * The rows that a spec asks for, computed when they are used.
 *
 * @param rows those of the windows that the job owns
 * @param sources the ranges they come from
 * @param counts by source, those whose records are counted while they are read
 */
record Computation(Dataset<Row> rows, List<SourceRead> sources, Map<String, Observation> counts) {

  Computation {
    requireNonNull(rows, "rows");
    sources = List.copyOf(sources);
    counts = Map.copyOf(counts);
  }

  /**
   * Prepares the computation.
   *
   * @throws InvalidJobSpecException if the SQL is no query, or its columns cannot be used
   */
  static Computation of(SparkSession session, BackfillSpec spec, List<SourceRead> reads) {
    Map<String, Dataset<Row>> views = new LinkedHashMap<>();
    Map<String, Observation> counts = new LinkedHashMap<>();
    for (SourceRead read : reads) {
      Dataset<Row> rows = read.rows();
      if (read.records().isEmpty()) {
        Observation observation = new Observation();
        rows = rows.observe(observation, count(lit(1)).as("records"));
        counts.put(read.name(), observation);
      }
      Queries.view(read.name(), rows);
      views.put(read.name(), rows);
    }
    Dataset<Row> rows;
    String field;
    if (spec.sql() != null) {
      rows = Queries.rows(session, spec.sql());
      field = "sql";
    } else if (spec.transform() != null) {
      rows = Transforms.load(session, spec.transform()).apply(session, views);
      field = "transform";
    } else {
      rows = views.values().iterator().next();
      field = "source " + spec.sources().get(0).name();
    }
    Columns.requireComparable(rows, field);
    Queries.requireSteady(rows, field);
    return new Computation(Windows.within(spec.windows(), rows, "what is computed"), reads, counts);
  }

  /**
   * The ranges with what is known of them.
   *
   * @param read whether all records have been read, so that those that are counted are
   */
  List<BackfillResult.Source> told(boolean read) {
    List<BackfillResult.Source> told = new ArrayList<>();
    for (SourceRead source : sources) {
      OptionalLong records = source.records();
      if (read && counts.containsKey(source.name())) {
        records = counted(counts.get(source.name()));
      }
      told.add(
          new BackfillResult.Source(
              source.name(),
              source.from(),
              source.to(),
              boxed(records),
              boxed(source.files()),
              boxed(source.bytes())));
    }
    return told;
  }

  /** The ranges with what is known of them, and their event times. */
  List<BackfillResult.Source> measured(WindowRange windows) {
    List<BackfillResult.Source> told = new ArrayList<>();
    for (SourceRead source : sources) {
      OptionalLong records = source.records();
      Instant newest = null;
      List<Instant> beyond = null;
      Instant oldest = null;
      if (source.eventTimes().isPresent()) {
        EventTimes times = source.eventTimes().get();
        EventTimes.Measured measured = times.measure();
        newest = measured.newest();
        oldest = times.oldest();
        if (records.isEmpty()) {
          records = measured.records();
        }
        if (windows != null && windows.to() != null) {
          beyond =
              newest == null || newest.isBefore(windows.to())
                  ? List.of()
                  : times.from(windows.to());
        }
      }
      told.add(
          new BackfillResult.Source(
              source.name(),
              source.from(),
              source.to(),
              boxed(records),
              boxed(source.files()),
              boxed(source.bytes()),
              newest,
              beyond,
              oldest));
    }
    return told;
  }

  /** What an observation has counted; empty if nothing has read what it observes. */
  private static OptionalLong counted(Observation observation) {
    try {
      Row counts = Await.result(observation.future(), Duration.create(5, TimeUnit.SECONDS));
      return OptionalLong.of(counts.getLong(0));
    } catch (TimeoutException unread) {
      return OptionalLong.empty();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new JobFailedException("interrupted while records were counted", interrupted);
    }
  }

  private static Long boxed(OptionalLong number) {
    return number.isPresent() ? (Long) number.getAsLong() : null;
  }
}
