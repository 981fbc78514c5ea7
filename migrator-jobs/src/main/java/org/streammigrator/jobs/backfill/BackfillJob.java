package org.streammigrator.jobs.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.storage.StorageLevel;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillResult.Chunk;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.job.JobRefusedException;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.jobs.rows.Keys;
import org.streammigrator.jobs.rows.Windows;
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
  private final ChunkListener listener;

  /** Is told of each chunk that is done. */
  @FunctionalInterface
  public interface ChunkListener {

    /**
     * A chunk is done.
     *
     * @param chunk what became of it
     * @param chunks how many there are
     */
    void done(Chunk chunk, int chunks);
  }

  private BackfillJob(SparkSession session, BackfillSpec spec, ChunkListener listener) {
    this.session = session;
    this.spec = spec;
    this.listener = requireNonNull(listener, "listener");
    this.sink = new SinkTable(session, spec);
  }

  /**
   * Runs the job.
   *
   * @throws InvalidJobSpecException if a table, column or place is not there, or the SQL is no
   *     query
   * @throws JobRefusedException if it would be unsafe; nothing of what was refused is written
   */
  public static BackfillResult run(SparkSession spark, BackfillSpec spec, ChunkListener listener) {
    long start = System.nanoTime();
    SparkSession session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", spec.timeZone());
    BackfillResult result = new BackfillJob(session, spec, listener).run();
    return result.lasting((System.nanoTime() - start) / 1_000_000);
  }

  private BackfillResult run() {
    Long before = sink.version();
    List<ChunkRange> chunks = ChunkRange.of(spec);
    OptionalLong last = sink.lastChunk();
    Map<Integer, SinkTable.Done> done = sink.history();
    List<SourceRead> reads = new ArrayList<>();
    for (SourceSpec source : spec.sources()) {
      reads.add(Sources.open(session, resumed(source, done)));
    }
    Computation computation = Computation.of(session, spec, reads);
    sink.require(computation.rows());
    if (spec.dryRun()) {
      return dryRun(computation, chunks, last, before);
    }
    if (last.isPresent() && last.getAsLong() >= chunks.size() - 1) {
      return result(computation, false, null, chunks, done, last.getAsLong(), before);
    }
    Dataset<Row> rows = computation.rows().persist(StorageLevel.MEMORY_AND_DISK());
    try {
      long computed = rows.count();
      List<String> keys = spec.sink().keys();
      if (spec.sink().nullKeys().equals("refuse")) {
        Keys.requireNoNulls(rows, keys, spec.sink().delta());
      }
      if (spec.sink().order().isEmpty()) {
        Keys.requireUnique(rows, keys, spec.sink().delta());
      }
      sink.create(rows);
      merge(rows, chunks, last.orElse(-1), ends(reads), done);
      return result(computation, true, computed, chunks, done, last.orElse(-1), before);
    } finally {
      rows.unpersist();
    }
  }

  /** The same source, with the end that an earlier run of this job has read up to. */
  private static SourceSpec resumed(SourceSpec source, Map<Integer, SinkTable.Done> done) {
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
      List<ChunkRange> chunks,
      long last,
      Map<String, JsonNode> ends,
      Map<Integer, SinkTable.Done> done) {
    for (ChunkRange chunk : chunks) {
      if (chunk.number() > last) {
        Dataset<Row> part =
            chunks.size() == 1
                ? rows
                : Windows.within(spec.windows().within(chunk.from(), chunk.to()), rows, "a chunk");
        long count = part.count();
        if (!spec.sink().order().isEmpty()) {
          part = Keys.first(part, spec.sink().keys(), spec.sink().order());
        }
        sink.merge(chunk, part, new ChunkMark(spec.jobId(), chunk.number(), count, ends))
            .ifPresent(committed -> done.put(chunk.number(), committed));
      }
      listener.done(
          told(chunk, chunk.number() > last ? "done" : "done-before", done), chunks.size());
    }
  }

  private static Chunk told(ChunkRange chunk, String status, Map<Integer, SinkTable.Done> done) {
    SinkTable.Done committed = done.get(chunk.number());
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
    List<BackfillResult.Source> sources = computation.told(false);
    return new BackfillResult(
        true,
        true,
        spec.jobId(),
        sum(sources.stream().map(BackfillResult.Source::records).toList()),
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
      Computation computation,
      boolean read,
      Long computed,
      List<ChunkRange> chunks,
      Map<Integer, SinkTable.Done> done,
      long last,
      Long before) {
    List<Chunk> told =
        chunks.stream()
            .map(chunk -> told(chunk, chunk.number() > last ? "done" : "done-before", done))
            .toList();
    Long rows = sum(told.stream().map(Chunk::rows).toList());
    Long inserted = sum(told.stream().map(Chunk::inserted).toList());
    Long updated = sum(told.stream().map(Chunk::updated).toList());
    List<BackfillResult.Source> sources = computation.told(read);
    return new BackfillResult(
        true,
        null,
        spec.jobId(),
        sum(sources.stream().map(BackfillResult.Source::records).toList()),
        rows == null ? computed : rows,
        inserted,
        updated,
        rows == null || inserted == null || updated == null ? null : rows - inserted - updated,
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
