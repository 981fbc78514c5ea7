package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import org.streammigrator.finding.DurationText;

/**
 * What the backfill job does: computes rows from bounded ranges of sources and merges those whose
 * window it owns into a Delta table, chunk by chunk. A chunk is one commit, which carries the job's
 * id and the chunk's number, so that a job that is run again repeats nothing.
 *
 * @param sources what is read; each is a view by its name
 * @param sql a query over the views; null: {@code transform} is given, or the rows of the one
 *     source
 * @param transform a class that computes the rows
 * @param windows the windows the job owns: nothing else is written; null: all rows
 * @param sink where the rows go
 * @param chunks how the work is divided; null: one chunk
 * @param late where records are that a stream would have dropped as too late; they are counted, and
 *     computed as all others; null: nobody asks
 * @param id tells runs of one spec apart: the table remembers the chunks that are done under it and
 *     a digest of the spec; null: every run of the spec is the same job
 * @param timeZone the session's time zone; null: UTC
 * @param dryRun whether it is only said what would be read and written; null: no
 * @param result where the result is written; null: nowhere
 */
@JsonInclude(NON_NULL)
public record BackfillSpec(
    @JsonProperty(required = true) List<SourceSpec> sources,
    String sql,
    Transform transform,
    WindowRange windows,
    @JsonProperty(required = true) Sink sink,
    Chunks chunks,
    List<Late> late,
    String id,
    String timeZone,
    Boolean dryRun,
    String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "backfill";

  /**
   * @param className a class that implements {@code BackfillTransform}
   * @param jar where it is; null: on the class path already
   */
  @JsonInclude(NON_NULL)
  public record Transform(@JsonProperty(required = true) String className, String jar) {}

  /**
   * @param delta the table's path
   * @param keys the columns by which a row is found again
   * @param mode {@code upsert} (the default) or {@code insert-only}
   * @param order which row of a key wins, among the computed rows and against the one that is
   *     there; null: keys must be unique, and the computed row wins
   * @param nullKeys {@code refuse} (the default) or {@code value}: null is a key like any other
   * @param evolve whether columns that the table lacks are added; null: no
   * @param create whether a table that is not there is made; null: no
   * @param tableId the id that the table must have; null: any
   */
  @JsonInclude(NON_NULL)
  public record Sink(
      @JsonProperty(required = true) String delta,
      @JsonProperty(required = true) List<String> keys,
      String mode,
      List<OrderColumn> order,
      String nullKeys,
      Boolean evolve,
      Boolean create,
      String tableId) {
    public Sink {
      SpecProblems wrong = new SpecProblems();
      wrong.requireText(delta, "sink.delta");
      keys = keys == null ? List.of() : List.copyOf(keys);
      wrong.unless(
          !keys.isEmpty(), "sink.keys is missing: name the columns by which a row is found again");
      mode = wrong.oneOf(mode, "sink.mode", "upsert", "insert-only");
      nullKeys = wrong.oneOf(nullKeys, "sink.nullKeys", "refuse", "value");
      wrong.raise();
      order = order == null ? List.of() : List.copyOf(order);
      evolve = Objects.requireNonNullElse(evolve, false);
      create = Objects.requireNonNullElse(create, false);
    }

    /** Whether rows that are there stay as they are. */
    @JsonIgnore
    public boolean insertOnly() {
      return mode.equals("insert-only");
    }
  }

  /**
   * @param by {@code window}: ranges of the windows' column
   * @param of how much one chunk takes, such as 1h
   */
  @JsonInclude(NON_NULL)
  public record Chunks(
      @JsonProperty(required = true) String by, @JsonProperty(required = true) String of) {
    public Chunks {
      SpecProblems wrong = new SpecProblems();
      wrong.unless("window".equals(by), "chunks.by: '" + by + "' is not window");
      String length = of;
      wrong.of(() -> length(length));
      wrong.raise();
    }

    /** The length of a chunk. */
    public Duration length() {
      return length(of);
    }

    private static Duration length(String text) {
      return DurationText.parse(text)
          .filter(length -> length.toMillis() > 0)
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "chunks.of: '" + text + "' is no length of time such as 1h"));
    }
  }

  /**
   * A part of a source in which a stream would have dropped records: those with an event time
   * before some instant, from {@code source.eventTime.from} on.
   *
   * @param source the part; it names its event time
   * @param before the first instant that was not too late
   */
  public record Late(
      @JsonProperty(required = true) SourceSpec source,
      @JsonProperty(required = true) Instant before) {
    public Late {
      SpecProblems wrong = new SpecProblems();
      wrong.unless(source != null, "late: source is missing");
      wrong.unless(before != null, "late: before is missing");
      wrong.unless(
          source == null || source.eventTime() != null, "late: its source lacks eventTime");
      wrong.raise();
    }
  }

  public BackfillSpec {
    SpecProblems wrong = new SpecProblems();
    sources = sources == null ? List.of() : List.copyOf(sources);
    wrong.unless(!sources.isEmpty(), "sources is missing");
    Set<String> names = new HashSet<>();
    for (SourceSpec source : sources) {
      wrong.unless(
          names.add(source.name().toLowerCase(Locale.ROOT)),
          "sources: two are called " + source.name());
    }
    wrong.unless(sql == null || transform == null, "give sql or transform, not both");
    wrong.unless(
        sql != null || transform != null || sources.size() <= 1,
        "several sources need sql or transform");
    wrong.unless(sink != null, "sink is missing");
    wrong.unless(
        chunks == null || windows != null && windows.from() != null && windows.to() != null,
        "chunks need windows with from and to");
    wrong.unless(
        chunks == null || windows == null || windows.also().isEmpty(),
        "windows.also and chunks do not go together");
    wrong.unless(id == null || !id.isBlank() && id.length() <= 200, "id: 1 to 200 characters");
    timeZone = wrong.timeZone(timeZone);
    wrong.raise();
    late = late == null ? null : List.copyOf(late);
    dryRun = Objects.requireNonNullElse(dryRun, false);
  }

  /** A spec that does not ask for late records. */
  public BackfillSpec(
      List<SourceSpec> sources,
      String sql,
      Transform transform,
      WindowRange windows,
      Sink sink,
      Chunks chunks,
      String id,
      String timeZone,
      Boolean dryRun,
      String result) {
    this(sources, sql, transform, windows, sink, chunks, null, id, timeZone, dryRun, result);
  }

  @Override
  public String job() {
    return JOB;
  }

  @Override
  public boolean readsOnly() {
    return dryRun;
  }

  /** The same, which also counts late records. */
  public BackfillSpec counting(List<Late> parts) {
    return new BackfillSpec(
        sources, sql, transform, windows, sink, chunks, parts, id, timeZone, dryRun, result);
  }

  /** Whether a row's key tells its window. */
  @JsonIgnore
  public boolean isWindowInKeys() {
    return windows != null && sink.keys().stream().anyMatch(windows.column()::equalsIgnoreCase);
  }

  /**
   * The id under which the table remembers what is done: the one given, and a digest of what is
   * asked. So chunks of one spec are never taken for those of another.
   */
  public String jobId() {
    BackfillSpec asked =
        new BackfillSpec(
            sources, sql, transform, windows, sink, chunks, null, timeZone, false, null);
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256")
              .digest(JobJson.write(asked).getBytes(StandardCharsets.UTF_8));
      return Objects.requireNonNullElse(id, "migrator-backfill")
          + "/"
          + HexFormat.of().formatHex(digest, 0, 12);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
