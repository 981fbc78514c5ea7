package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Consumer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillResult.Chunk;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.rows.Failures;
import org.streammigrator.jobs.rows.Keys;
import org.streammigrator.jobs.rows.Windows;
import org.streammigrator.jobs.source.LateRecords;
import org.streammigrator.jobs.source.SourceRead;
import org.streammigrator.jobs.source.Sources;

/**
 * Computes rows from bounded ranges of sources, and merges those of the windows it owns into a
 * Delta table.
 *
 * <p>Guarantees: nothing outside the windows is written; each chunk is one commit, and is committed
 * once, however often the job is run; a job that is run again after a crash reads the same ranges,
 * also where the spec left their ends open. Nothing of the given session changes.
 */
public final class BackfillJob {
  private final SparkSession session;
  private final BackfillSpec spec;
  private final SinkTable sink;
  private final Consumer<ChunkEvent> told;

  private BackfillJob(SparkSession session, BackfillSpec spec, Consumer<ChunkEvent> told) {
    this.session = session;
    this.spec = spec;
    this.told = requireNonNull(told, "told");
    this.sink = new SinkTable(session, spec);
  }

  /**
   * Runs the job.
   *
   * @param told is told of each chunk that is done
   * @throws InvalidJobSpecException if a table, column or place is not there, or the SQL is no
   *     query
   * @throws JobRefusedException if it would be unsafe; nothing of what was refused is written
   * @throws IOException if it stopped after some chunks; run again, it does the rest
   */
  public static BackfillResult run(SparkSession spark, BackfillSpec spec, Consumer<ChunkEvent> told)
      throws IOException {
    long start = System.nanoTime();
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", spec.timeZone());
    BackfillResult result = new BackfillJob(session, spec, told).run();
    return result.lasting((System.nanoTime() - start) / 1_000_000);
  }

  private BackfillResult run() throws IOException {
    Long before = sink.version();
    List<ChunkRange> chunks = ChunkRange.of(spec);
    OptionalLong last = sink.lastChunk();
    Map<Integer, ChunkHistory.Done> done = sink.history(last);
    boolean isDone = last.isPresent() && last.getAsLong() >= chunks.size() - 1;
    if (isDone && !spec.dryRun()) {
      // The sources need not be there any more.
      return result(known(done), null, late(), chunks, done, last.getAsLong(), before);
    }
    requireEnds(last, done);
    List<SourceRead> reads = new ArrayList<>();
    for (SourceSpec source : spec.sources()) {
      reads.add(Sources.open(session, resumed(source, done)));
    }
    Computation computation = Computation.of(session, spec, reads);
    sink.require(computation.rows());
    if (spec.dryRun()) {
      return dryRun(computation, chunks, last, before);
    }
    Dataset<Row> rows = computation.rows().persist(StorageLevel.MEMORY_AND_DISK());
    try {
      long computed =
          Keys.check(
              rows,
              spec.sink().keys(),
              spec.sink().nullKeys().equals("value"),
              !spec.sink().order().isEmpty(),
              spec.sink().delta());
      Long late = late();
      sink.create(rows);
      merge(rows, computed, chunks, last.orElse(-1), ends(reads), done);
      return result(computation.told(true), computed, late, chunks, done, last.orElse(-1), before);
    } finally {
      rows.unpersist();
    }
  }

  /**
   * The records that a stream would have dropped; null if nobody asks, or if a part of them cannot
   * be read any more. Nothing of what is written depends on it.
   */
  private Long late() {
    if (spec.late() == null) {
      return null;
    }
    long count = 0;
    for (BackfillSpec.Late part : spec.late()) {
      try {
        count += LateRecords.count(session, part);
      } catch (JobRefusedException | InvalidJobSpecException | JobFailedException gone) {
        return null;
      }
    }
    return count;
  }

  /** The ranges, as far as the spec and the table's history tell. */
  private List<BackfillResult.Source> known(Map<Integer, ChunkHistory.Done> done) {
    return spec.sources().stream()
        .map(source -> resumed(source, done))
        .map(
            source ->
                new BackfillResult.Source(
                    source.name(), source.from(), source.to(), null, null, null))
        .toList();
  }

  /** Looks whether the chunks that are left can be computed from the same ranges. */
  private void requireEnds(OptionalLong last, Map<Integer, ChunkHistory.Done> done) {
    boolean isOpen =
        spec.sources().stream().anyMatch(source -> source.to() == null || source.to().isNull());
    if (last.isPresent() && done.isEmpty() && isOpen) {
      throw JobRefusedException.unsafe(
          Finding.error(
              FindingCode.INEXACT_POSITION,
              spec.sink().delta(),
              "%d chunks of this job are done, and the table's history no longer says where the"
                      .formatted(last.getAsLong() + 1)
                  + " ranges ended from which they were computed",
              "give every source its to, or compute all again under another id"));
    }
  }

  /** The same source, with the end that an earlier run of this job has read up to. */
  private static SourceSpec resumed(SourceSpec source, Map<Integer, ChunkHistory.Done> done) {
    return done.values().stream()
        .map(chunk -> chunk.mark().ends().get(source.name()))
        .filter(end -> end != null && (source.to() == null || source.to().isNull()))
        .findFirst()
        .map(source::to)
        .orElse(source);
  }

  private static Map<String, JsonNode> ends(List<SourceRead> reads) {
    Map<String, JsonNode> ends = new HashMap<>();
    reads.forEach(read -> ends.put(read.name(), read.to()));
    return ends;
  }

  private void merge(
      Dataset<Row> rows,
      long computed,
      List<ChunkRange> chunks,
      long last,
      Map<String, JsonNode> ends,
      Map<Integer, ChunkHistory.Done> done)
      throws IOException {
    // Of all rows, since a key may have rows in several chunks.
    Dataset<Row> chosen =
        spec.sink().order().isEmpty()
            ? rows
            : Keys.first(rows, spec.sink().keys(), spec.sink().order());
    for (ChunkRange chunk : chunks) {
      if (chunk.number() > last) {
        long count = chunks.size() == 1 ? computed : part(chunk, chunks, rows).count();
        Dataset<Row> part = part(chunk, chunks, chosen);
        ChunkMark mark = new ChunkMark(spec.jobId(), chunk.number(), count, ends);
        try {
          sink.merge(chunk, part, mark).ifPresent(committed -> done.put(chunk.number(), committed));
          requireOwn(done.get(chunk.number()), ends);
        } catch (RuntimeException failure) {
          if (chunk.number() == 0) {
            throw failure;
          }
          throw new IOException(
              "%d of %d chunks are done; run it again, it does the rest: %s"
                  .formatted(chunk.number(), chunks.size(), Failures.firstLine(failure)),
              failure);
        }
      }
      Chunk ended = told(chunk, chunk.number() > last ? "done" : "done-before", done);
      told.accept(
          new ChunkEvent(
              BackfillSpec.JOB,
              ended.number(),
              chunks.size(),
              ended.status(),
              ended.rows(),
              ended.version()));
    }
  }

  /** Two runs of one job at once must not go on from different ranges. */
  private static void requireOwn(ChunkHistory.Done committed, Map<String, JsonNode> ends)
      throws IOException {
    if (committed != null && !committed.mark().hasEnds(ends)) {
      throw new IOException(
          "another run of this job is at work, and read up to elsewhere; run it again when that has"
              + " ended");
    }
  }

  private Dataset<Row> part(ChunkRange chunk, List<ChunkRange> chunks, Dataset<Row> rows) {
    return chunks.size() == 1
        ? rows
        : Windows.within(spec.windows().within(chunk.from(), chunk.to()), rows, "a chunk");
  }

  private static Chunk told(ChunkRange chunk, String status, Map<Integer, ChunkHistory.Done> done) {
    ChunkHistory.Done committed = done.get(chunk.number());
    return new Chunk(
        chunk.number(),
        chunk.from(),
        chunk.to(),
        status,
        committed == null ? null : (Long) committed.mark().rows(),
        committed == null ? null : (Long) committed.inserted(),
        committed == null ? null : (Long) committed.updated(),
        committed == null ? null : (Long) committed.version());
  }

  private BackfillResult dryRun(
      Computation computation, List<ChunkRange> chunks, OptionalLong last, Long before) {
    long[] touchable = sink.touchable();
    List<Chunk> told =
        chunks.stream()
            .map(
                chunk ->
                    told(
                        chunk,
                        chunk.number() > last.orElse(-1) ? "planned" : "done-before",
                        Map.of()))
            .toList();
    List<BackfillResult.Source> sources = computation.measured(spec.windows());
    return new BackfillResult(
        true,
        true,
        spec.jobId(),
        sum(sources.stream().map(BackfillResult.Source::records).toList()),
        null,
        null,
        null,
        null,
        null,
        sources,
        told,
        before,
        before,
        touchable[0],
        touchable[1],
        0);
  }

  private BackfillResult result(
      List<BackfillResult.Source> sources,
      Long computed,
      Long late,
      List<ChunkRange> chunks,
      Map<Integer, ChunkHistory.Done> done,
      long last,
      Long before) {
    List<Chunk> told =
        chunks.stream()
            .map(chunk -> told(chunk, chunk.number() > last ? "done" : "done-before", done))
            .toList();
    Long rows = sum(told.stream().map(Chunk::rows).toList());
    Long inserted = sum(told.stream().map(Chunk::inserted).toList());
    Long updated = sum(told.stream().map(Chunk::updated).toList());
    return new BackfillResult(
        true,
        null,
        spec.jobId(),
        sum(sources.stream().map(BackfillResult.Source::records).toList()),
        rows == null ? computed : rows,
        inserted,
        updated,
        rows == null || inserted == null || updated == null ? null : rows - inserted - updated,
        late,
        sources,
        told,
        before,
        sink.version(),
        null,
        null,
        0);
  }

  /** The sum; null if a part of it is not known. */
  private static Long sum(List<Long> numbers) {
    long sum = 0;
    for (Long number : numbers) {
      if (number == null) {
        return null;
      }
      sum += number;
    }
    return sum;
  }
}
