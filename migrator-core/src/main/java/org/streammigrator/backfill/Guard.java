package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;
import java.util.List;
import java.util.stream.Collectors;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WindowPlan;

/**
 * The condition that keeps the new query to its own windows. All forms hold the same SQL, whose
 * times name their zone, so that the session's does not matter.
 *
 * @param sql a condition in SQL
 * @param python after the aggregation, in Python
 * @param scala the same in Scala
 */
@JsonPropertyOrder({"sql", "python", "scala"})
public record Guard(String sql, String python, String scala) {

  public Guard {
    requireNonNull(sql, "sql");
    requireNonNull(python, "python");
    requireNonNull(scala, "scala");
  }

  /** The guard of a boundary, for the column {@code window} that Spark's {@code window} gives. */
  public static Guard of(Boundary boundary) {
    return of(boundary.cut(), boundary.given());
  }

  /**
   * The statement that takes the job's windows out of the table again: those that the old query had
   * not closed, and so had not written in append mode.
   */
  public static String deleting(StreamPlan stream, Boundary boundary) {
    String column =
        "`"
            + stream.backfill().flatMap(BackfillPlan::window).map(WindowPlan::column).orElse("?")
            + "`";
    String owned =
        (boundary.firstWindow() == null
                ? ""
                : column + " >= " + timestamp(boundary.firstWindow()) + " and ")
            + column
            + " < "
            + timestamp(boundary.cut());
    if (!boundary.given().isEmpty()) {
      owned +=
          boundary.given().stream()
              .map(Guard::timestamp)
              .collect(Collectors.joining(", ", " or " + column + " in (", ")"));
    }
    return "DELETE FROM delta.`"
        + SourceRanges.path(stream.sink().get(0).address())
        + "` WHERE "
        + owned;
  }

  private static Guard of(Instant cut, List<Instant> given) {
    String sql = "window.start >= " + timestamp(cut);
    if (!given.isEmpty()) {
      sql +=
          given.stream()
              .map(Guard::timestamp)
              .collect(Collectors.joining(", ", " and window.start not in (", ")"));
    }
    return new Guard(sql, ".where(F.expr(\"" + sql + "\"))", ".where(expr(\"" + sql + "\"))");
  }

  private static String timestamp(Instant instant) {
    return "timestamp '" + instant + "'";
  }
}
