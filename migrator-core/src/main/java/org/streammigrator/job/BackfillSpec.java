package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static org.streammigrator.job.SpecValues.oneOf;
import static org.streammigrator.job.SpecValues.requireText;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
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
      requireText(delta, "sink.delta");
      if (keys == null || keys.isEmpty()) {
        throw new IllegalArgumentException(
            "sink.keys is missing: name the columns by which a row is found again");
      }
      keys = List.copyOf(keys);
      mode = oneOf(mode, "sink.mode", "upsert", "insert-only");
      nullKeys = oneOf(nullKeys, "sink.nullKeys", "refuse", "value");
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
      if (!"window".equals(by)) {
        throw new IllegalArgumentException("chunks.by: '" + by + "' is not window");
      }
      length(of);
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

  public BackfillSpec {
    if (sources == null || sources.isEmpty()) {
      throw new IllegalArgumentException("sources is missing");
    }
    sources = List.copyOf(sources);
    Set<String> names = new HashSet<>();
    for (SourceSpec source : sources) {
      if (!names.add(source.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException("sources: two are called " + source.name());
      }
    }
    if (sql != null && transform != null) {
      throw new IllegalArgumentException("give sql or transform, not both");
    }
    if (sql == null && transform == null && sources.size() > 1) {
      throw new IllegalArgumentException("several sources need sql or transform");
    }
    if (sink == null) {
      throw new IllegalArgumentException("sink is missing");
    }
    if (chunks != null && (windows == null || windows.from() == null || windows.to() == null)) {
      throw new IllegalArgumentException("chunks need windows with from and to");
    }
    if (chunks != null && !windows.also().isEmpty()) {
      throw new IllegalArgumentException("windows.also and chunks do not go together");
    }
    if (id != null && (id.isBlank() || id.length() > 200)) {
      throw new IllegalArgumentException("id: 1 to 200 characters");
    }
    timeZone = Objects.requireNonNullElse(timeZone, "UTC");
    try {
      ZoneId.of(timeZone);
    } catch (DateTimeException unknown) {
      throw new IllegalArgumentException("timeZone: " + unknown.getMessage(), unknown);
    }
    dryRun = Objects.requireNonNullElse(dryRun, false);
  }

  @Override
  public String job() {
    return JOB;
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
