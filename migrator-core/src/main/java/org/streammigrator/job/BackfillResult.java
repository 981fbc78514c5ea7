package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;

/**
 * What the backfill job did, in this run and in those before it.
 *
 * @param ok true
 * @param dryRun whether nothing was written; null: no
 * @param id under which the table remembers what is done
 * @param rowsRead records in the ranges of the sources; null if nobody has counted them
 * @param rows rows that were computed and belong to the job's windows; null of a dry run, and where
 *     earlier runs did everything
 * @param inserted rows that were added; null if the table's history has lost the count
 * @param updated rows that were there and were replaced; null likewise
 * @param ignored computed rows that were left out, since the table has their key already or a newer
 *     row; null where rows, inserted or updated is
 * @param lateRows records that a stream would have dropped as too late, where the spec says which
 *     those are; null if it does not, or if they cannot be read any more
 * @param sources the ranges
 * @param chunks what became of each chunk, in order
 * @param versionBefore the table's version before this run; null if there was no table
 * @param versionAfter the version after it; null if there is no table
 * @param targetFiles of a dry run: files that may be rewritten
 * @param targetBytes of a dry run: their bytes
 * @param durationMs wall clock, in milliseconds
 */
@JsonInclude(NON_NULL)
public record BackfillResult(
    boolean ok,
    Boolean dryRun,
    String id,
    Long rowsRead,
    Long rows,
    Long inserted,
    Long updated,
    Long ignored,
    Long lateRows,
    List<Source> sources,
    List<Chunk> chunks,
    Long versionBefore,
    Long versionAfter,
    Long targetFiles,
    Long targetBytes,
    long durationMs)
    implements JobResult {

  /**
   * @param from where it began; null: at its beginning
   * @param to where it ended
   * @param records in it; null if nobody has counted them
   * @param files in it; null where it has none
   * @param bytes in those
   * @param newestEvent of a dry run: no record up to {@code to} has a later event time; null where
   *     the spec names none, and where there are no records
   * @param beyond of a dry run: event times at or after {@code windows.to}, without repetition, in
   *     order; of more than {@value #MOST_BEYOND} the first, and one more
   * @param oldestRecord of a dry run: the time of the oldest record that is left, where older ones
   *     are gone
   */
  @JsonInclude(NON_NULL)
  public record Source(
      String name,
      JsonNode from,
      JsonNode to,
      Long records,
      Long files,
      Long bytes,
      Instant newestEvent,
      List<Instant> beyond,
      Instant oldestRecord) {

    /** How many event times {@code beyond} holds at most. */
    public static final int MOST_BEYOND = 1000;

    /** A range of which nothing more is known. */
    public Source(String name, JsonNode from, JsonNode to, Long records, Long files, Long bytes) {
      this(name, from, to, records, files, bytes, null, null, null);
    }
  }

  /**
   * @param number 0 and up
   * @param from the first window start in it; null: unbounded
   * @param to the first window start after it; null: unbounded
   * @param status {@code done}, {@code done-before} or {@code planned} (a dry run)
   * @param version the commit; null where the history has lost it, and of a dry run
   */
  @JsonInclude(NON_NULL)
  public record Chunk(
      int number,
      Instant from,
      Instant to,
      String status,
      Long rows,
      Long inserted,
      Long updated,
      Long version) {}

  public BackfillResult {
    sources = List.copyOf(sources);
    chunks = List.copyOf(chunks);
  }

  @Override
  public String job() {
    return BackfillSpec.JOB;
  }

  /** The same after so many milliseconds. */
  public BackfillResult lasting(long millis) {
    return new BackfillResult(
        ok,
        dryRun,
        id,
        rowsRead,
        rows,
        inserted,
        updated,
        ignored,
        lateRows,
        sources,
        chunks,
        versionBefore,
        versionAfter,
        targetFiles,
        targetBytes,
        millis);
  }
}
