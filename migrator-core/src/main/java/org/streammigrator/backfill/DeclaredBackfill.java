package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.BackfillMode;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.WindowPlan;

/** What a plan says of a backfill: whether that is all it needs, and whether it can be exact. */
public final class DeclaredBackfill {
  /** The timestamps that SQL knows. */
  static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  static final Instant LATEST = Instant.parse("9999-12-31T23:59:59.999999Z");

  private final StreamPlan stream;
  private final List<Finding> findings = new ArrayList<>();

  private DeclaredBackfill(StreamPlan stream) {
    this.stream = requireNonNull(stream, "stream");
  }

  /** What is missing, or forbids it; empty if nothing is. */
  public static List<Finding> problems(StreamPlan stream) {
    DeclaredBackfill declared = new DeclaredBackfill(stream);
    declared.backfill();
    declared.sink();
    declared.query();
    declared.changes();
    declared.sources();
    declared.runner();
    return List.copyOf(declared.findings);
  }

  private void backfill() {
    Optional<BackfillPlan> backfill = stream.backfill();
    if (backfill.flatMap(BackfillPlan::window).isEmpty()) {
      incomplete(
          "backfill.window",
          "the plan does not say in which windows the query computes",
          "add backfill: {window: {column: window_start, size: 5m}, sql: \"...\"}");
    } else {
      grid(backfill.get().window().get());
    }
    if (backfill.map(BackfillPlan::mode).filter(BackfillMode.INSERT_ONLY::equals).isPresent()) {
      inexact(
          "backfill.mode",
          "with insert-only the final run leaves the rows of the provisional one as they are, without"
              + " the late events",
          "leave it out: the job replaces the rows of its own windows");
    }
    boolean hasSql = backfill.flatMap(BackfillPlan::sql).isPresent();
    boolean hasTransform = backfill.flatMap(BackfillPlan::transform).isPresent();
    if (hasSql == hasTransform) {
      incomplete(
          "backfill.sql",
          hasSql
              ? "the plan gives both sql and transform, and the job computes one of them"
              : "the plan does not say what the job computes",
          "give the new query as batch SQL over views that are called as the sources are, or a"
              + " class as transform");
    }
  }

  private void grid(WindowPlan window) {
    WindowGrid grid;
    try {
      grid = WindowGrid.of(window);
    } catch (IllegalArgumentException impossible) {
      incomplete("backfill.window", impossible.getMessage(), "correct `size` and `slide`");
      return;
    }
    for (OperatorPlan operator : stream.query().operators()) {
      if (operator.kind() == OperatorKind.WINDOW && operator.size().isPresent()) {
        Duration slide = operator.slide().orElse(operator.size().get());
        boolean isSame =
            window.size().equals(operator.size().get())
                && window.slide().orElse(window.size()).equals(slide);
        if (!isSame) {
          incomplete(
              "backfill.window",
              "it and query.operators speak of different windows: of "
                  + window.size()
                  + " every "
                  + window.slide().orElse(window.size())
                  + ", and of "
                  + operator.size().get()
                  + " every "
                  + slide,
              "say the same in both");
        }
      }
    }
    Optional<BackfillPlan> backfill = stream.backfill();
    List<Instant> instants = new ArrayList<>(backfill.map(BackfillPlan::windows).orElse(List.of()));
    backfill.flatMap(BackfillPlan::cut).ifPresent(instants::add);
    Optional<Instant> beyond =
        instants.stream()
            .filter(instant -> instant.isBefore(EARLIEST) || instant.isAfter(LATEST))
            .findFirst();
    if (beyond.isPresent()) {
      incomplete(
          "backfill.cut",
          beyond.get() + " is no time of a window: years go from 1 to 9999",
          "correct cut or windows");
      return;
    }
    backfill
        .flatMap(BackfillPlan::cut)
        .filter(cut -> !grid.isStart(cut))
        .ifPresent(
            cut ->
                incomplete(
                    "backfill.cut",
                    cut
                        + " is not the start of a window; the next one starts at "
                        + grid.after(cut),
                    "give the start of a window, or auto"));
    backfill.map(BackfillPlan::windows).orElse(List.of()).stream()
        .filter(start -> !grid.isStart(start))
        .findFirst()
        .ifPresent(
            start ->
                incomplete(
                    "backfill.windows",
                    start + " is not the start of a window",
                    "give the starts of windows"));
  }

  private void sink() {
    if (stream.sink().size() != 1 || stream.sink().get(0).address().kind() != SinkKind.DELTA) {
      findings.add(
          Finding.error(
              stream.sink().isEmpty() ? FindingCode.PLAN_INCOMPLETE : FindingCode.NOT_AVAILABLE,
              "sink",
              stream.sink().isEmpty()
                  ? "the plan does not name the table that the windows go into"
                  : "a backfill merges into one Delta table; this plan names "
                      + (stream.sink().size() == 1
                          ? stream.sink().get(0).address().kind().label()
                          : stream.sink().size() + " sinks"),
              "name the table of the windows: sink: {delta: ..., keys: [...]}"));
      return;
    }
    SinkPlan sink = stream.sink().get(0);
    Optional<String> column =
        stream.backfill().flatMap(BackfillPlan::window).map(WindowPlan::column);
    boolean isKeyed =
        column.isEmpty() || sink.keys().stream().anyMatch(column.get()::equalsIgnoreCase);
    if (sink.keys().isEmpty() || !isKeyed) {
      incomplete(
          "sink.keys",
          sink.keys().isEmpty()
              ? "the plan does not say by which columns a row of the table is found again"
              : "the column of the window ("
                  + column.get()
                  + ") is none of the keys, so that two"
                  + " windows could share a row",
          "add keys: the column of the window and what else the query groups by");
    }
  }

  private void query() {
    if (stream.query().outputMode().filter(OutputMode.COMPLETE::equals).isPresent()) {
      inexact(
          "query.outputMode",
          "in complete mode every batch writes all windows, so that the stream would overwrite"
              + " those of the job",
          "use replay from the query's first position");
    }
    if (stream.query().processingTime().orElse(false)) {
      inexact(
          "query.processingTime",
          "the query groups or filters by the time at which it runs, which is another one for the"
              + " job",
          "compute by event time; or seed, and state what is lost");
    }
    if (!stream.query().deterministic().orElse(true)) {
      inexact(
          "query.deterministic",
          "the query does not give the same rows for the same input, so that the job would compute"
              + " others",
          "take the clock and chance out of it");
    }
    long windows =
        stream.query().operators().stream()
            .filter(operator -> operator.kind() == OperatorKind.WINDOW)
            .count();
    for (OperatorPlan operator : stream.query().operators()) {
      if (operator.kind() == OperatorKind.SESSION) {
        inexact(
            "query.operators",
            "a session may begin before any cut and end after it, so that job and stream would each"
                + " have a part of it",
            "use strategy replay");
      } else if (operator.kind() != OperatorKind.WINDOW || windows > 1) {
        inexact(
            "query.operators",
            "the query keeps more state than that of one window ("
                + operator.kind().label()
                + "), which the job cannot rebuild",
            "use strategy replay");
        return;
      }
    }
  }

  private void changes() {
    for (ChangePlan change : stream.changes()) {
      if (change.kind() == ChangeKind.WINDOW) {
        inexact(
            "changes",
            "windows of another size, slide or start overlap those that the old query has closed, so"
                + " that events would be in windows of both or of neither",
            "write the new windows into another table, from a checkpoint of their own (strategy seed"
                + " with identity: new, and the job backfill for what is past)");
      }
      boolean isUpdate = stream.query().outputMode().filter(OutputMode.UPDATE::equals).isPresent();
      if (change.kind() == ChangeKind.GROUPING && isUpdate) {
        inexact(
            "changes",
            "in update mode the table has rows of open windows under the old keys, which stay beside"
                + " those under the new ones",
            "write into another table, or delete the rows of open windows first");
      }
    }
  }

  private void runner() {
    stream
        .runner()
        .conf()
        .forEach(
            (key, value) -> {
              if (value.toString().contains("${") || !value.toString().equals(value.value())) {
                incomplete(
                    "runner.conf",
                    "the setting " + key + " holds a secret, and Spark shows its settings",
                    "put it into spark-defaults.conf");
              }
            });
  }

  private void sources() {
    for (int i = 0; i < stream.sources().size(); i++) {
      for (String option : stream.sources().get(i).options().keySet()) {
        if (option.equalsIgnoreCase("readChangeFeed")
            || option.equalsIgnoreCase("readChangeData")) {
          inexact(
              "sources[" + i + "]",
              "the query reads the table's change feed, and the job would read its rows",
              "use strategy replay, or relocate");
        }
      }
      if (stream.sources().get(i).isNew()) {
        findings.add(
            Finding.error(
                FindingCode.NOT_AVAILABLE,
                "sources[" + i + "]",
                "a source that is new begins where its reader says, and the job cannot know from"
                    + " where on it counts",
                "add the source by a second migration (strategy seed)"));
      }
    }
  }

  private void incomplete(String subject, String message, String remedy) {
    findings.add(Finding.error(FindingCode.PLAN_INCOMPLETE, subject, message, remedy));
  }

  private void inexact(String subject, String message, String remedy) {
    findings.add(Finding.error(FindingCode.BACKFILL_INEXACT, subject, message, remedy));
  }
}
