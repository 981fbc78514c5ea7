package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.ReplaySink;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.StreamPlan;

/**
 * Which event times the open state of a query may depend on, by its operators, and by which
 * watermarks the batch goes that rebuilds it.
 *
 * <p>Spark drops input that is late by the watermark of the batch before, and an aggregate judges a
 * row by the end of its window ({@code WatermarkSupport}); it closes state by the watermark of the
 * batch itself. A window that is open at W ends after W, so that its events are later than W less
 * its size; and with several operators in a chain, what one of them holds may come from rows as
 * much older as those before it look back.
 */
final class ReplayRules {
  private static final Instant EARLIEST = Instant.parse("0001-01-01T00:00:00Z");

  private final StreamPlan stream;
  private final List<OperatorPlan> operators;
  private final Supplier<OpenSessions> sessions;
  private final List<Finding> findings;

  /**
   * @param operators the stateful operators of the new query, from the source to the sink
   * @param sessions where the old query's open sessions begin; asked only if it matters
   * @param findings where what is missing or forbids the replay is put
   */
  ReplayRules(
      StreamPlan stream,
      List<OperatorPlan> operators,
      Supplier<OpenSessions> sessions,
      List<Finding> findings) {
    this.stream = requireNonNull(stream, "stream");
    this.operators = List.copyOf(operators);
    this.sessions = requireNonNull(sessions, "sessions");
    this.findings = requireNonNull(findings, "findings");
  }

  /**
   * How far an operator's state looks back from the watermark.
   *
   * @param back empty for as far as there is
   * @param late how far below the watermark the operator, if it is the only one, drops its input
   */
  private record Reach(Optional<Duration> back, Duration late) {
    private static final Reach EVERYTHING = new Reach(Optional.empty(), Duration.ZERO);

    /** State that needs no row that was late. */
    private static Reach open(Duration back) {
      return new Reach(Optional.of(back), Duration.ZERO);
    }

    /** State that may depend on rows which the watermark has passed. */
    private static Reach passed(Duration back) {
      return new Reach(Optional.of(back), back);
    }
  }

  /**
   * The times for a query whose last output was written under a watermark.
   *
   * @param watermarkMs milliseconds since the epoch
   * @return empty if a finding says why there are none
   */
  Optional<ReplayTimes> at(long watermarkMs) {
    if (operators.isEmpty()) {
      incomplete(
          "query.operators",
          "nothing tells which state the new query keeps",
          "list its stateful operators from the source to the sink, such as operators: [{kind:"
              + " window, size: 5m, delay: 10m}]; a query without state is seeded");
      return Optional.empty();
    }
    long before = forbidding();
    boolean isComplete =
        stream.query().outputMode().filter(OutputMode.COMPLETE::equals).isPresent();
    List<Reach> reaches = new ArrayList<>();
    operators.stream()
        .filter(operator -> operator.kind() != OperatorKind.SESSION)
        .forEach(operator -> reaches.add(reach(operator)));
    boolean isEverything =
        isComplete
            || watermarkMs <= 0
            || reaches.stream().anyMatch(reach -> reach.back().isEmpty());
    operators.stream()
        .filter(operator -> operator.kind() == OperatorKind.SESSION)
        .forEach(operator -> reaches.add(session(operator, watermarkMs, isEverything)));
    if (forbidding() > before) {
      return Optional.empty();
    }
    Optional<ReplaySink> sink = sink(isComplete);
    if (sink.isEmpty()) {
      return Optional.empty();
    }
    if (isEverything) {
      return Optional.of(new ReplayTimes(Math.max(watermarkMs, 0), 0, null, sink.get()));
    }
    boolean isAlone = operators.size() == 1;
    long earliest;
    try {
      long back = 0;
      for (Reach reach : reaches) {
        back = Math.addExact(back, reach.back().orElseThrow().toMillis());
      }
      earliest = Math.subtractExact(watermarkMs, back) - (isAlone ? 0 : 1);
      if (Instant.ofEpochMilli(earliest).isBefore(EARLIEST)) {
        throw new ArithmeticException("before the year 1");
      }
    } catch (ArithmeticException tooLong) {
      incomplete(
          "query.operators",
          "the operators look back further than to the year 1",
          "correct their sizes and delays");
      return Optional.empty();
    }
    long late = isAlone ? watermarkMs - reaches.get(0).late().toMillis() : earliest;
    return Optional.of(
        new ReplayTimes(
            watermarkMs, Math.max(late, 0), Instant.ofEpochMilli(earliest), sink.get()));
  }

  /** What was found that nobody can accept, since without it there is nothing to compute. */
  private long forbidding() {
    return findings.stream()
        .filter(finding -> finding.code() != FindingCode.REPLAY_INEXACT)
        .count();
  }

  private Reach reach(OperatorPlan operator) {
    if (operator.size().filter(Duration::isZero).isPresent()
        && operator.kind() == OperatorKind.WINDOW) {
      return missing(operator, "size", "how long its windows are; 0 is no length");
    }
    return switch (operator.kind()) {
      case WINDOW ->
          operator
              .size()
              .map(Reach::open)
              .orElseGet(() -> missing(operator, "size", "how long its windows are"));
      case DEDUPE ->
          operator
                  .eventTime()
                  .filter(
                      time -> operator.keys().stream().anyMatch(key -> key.equalsIgnoreCase(time)))
                  .isPresent()
              ? Reach.open(Duration.ZERO)
              : Reach.EVERYTHING;
      case DEDUPE_WITHIN ->
          operator
              .delay()
              .map(Reach::passed)
              .orElseGet(() -> missing(operator, "delay", "for how long it knows a row"));
      case JOIN ->
          operator.size().isPresent() || operator.eventTime().isPresent()
              ? Reach.open(operator.size().orElse(Duration.ZERO))
              : missing(
                  operator,
                  "size",
                  "what ties its two sides: size, where the keys hold a window; eventTime, where they"
                      + " hold the event time itself");
      case INTERVAL_JOIN ->
          operator.before().isPresent() && operator.after().isPresent()
              ? bothSides(operator.before().get(), operator.after().get())
              : Reach.EVERYTHING;
      case AGGREGATE, LIMIT -> Reach.EVERYTHING;
      case SESSION -> throw new IllegalStateException("sessions look into the old state");
      case ARBITRARY -> arbitrary(operator);
    };
  }

  /**
   * A row counts for a session if the session that the row alone would make is not late. So that
   * the first row of the earliest open session counts, the watermark for late rows is put right
   * before the end that it alone would have.
   *
   * @param isEverything whether everything is read again, wherever sessions begin
   */
  private Reach session(OperatorPlan operator, long watermarkMs, boolean isEverything) {
    if (operator.gap().isEmpty() && !operator.dynamicGap()) {
      return missing(operator, "gap", "after how long a session ends");
    }
    if (isEverything) {
      return Reach.EVERYTHING;
    }
    OpenSessions open = sessions.get();
    if (open.unknown() != null) {
      findings.add(
          Finding.error(
              FindingCode.NOT_AVAILABLE,
              "query.operators",
              "where the open sessions of the old query begin is not known: " + open.unknown(),
              "mend that; or relocate the query if its operators are unchanged"));
      return Reach.EVERYTHING;
    }
    long start =
        open.earliest() == null
            ? watermarkMs
            : Math.min(watermarkMs, open.earliest().toEpochMilli());
    long gap = operator.dynamicGap() ? 0 : Math.max(operator.gap().orElseThrow().toMillis() - 1, 0);
    long late = Math.min(watermarkMs, start > Long.MAX_VALUE - gap ? watermarkMs : start + gap);
    return new Reach(
        Optional.of(Duration.ofMillis(watermarkMs - start)), Duration.ofMillis(watermarkMs - late));
  }

  /**
   * Twice the wider side: a row that is kept may have met its match already, and whether it has is
   * known only if that one, older by as much again, is read as well.
   */
  private static Reach bothSides(Duration before, Duration after) {
    return Reach.passed((before.compareTo(after) > 0 ? before : after).multipliedBy(2));
  }

  private Reach arbitrary(OperatorPlan operator) {
    if (!operator.independent().orElse(false)) {
      inexact(
          "query.operators",
          "an operator with a function of its own may give another result for other batches and"
              + " another order of rows, and a replay is one batch",
          "say independent: true if it does not, and lookback");
    }
    return operator
        .lookback()
        .map(Reach::passed)
        .orElseGet(
            () ->
                missing(operator, "lookback", "how far back from the watermark its state reaches"));
  }

  private Reach missing(OperatorPlan operator, String key, String what) {
    incomplete(
        "query.operators",
        "the plan does not say of the operator "
            + operator.kind().label()
            + " "
            + what
            + " ("
            + key
            + ")",
        "add " + key + ", such as {kind: " + operator.kind().label() + ", " + key + ": 10m}");
    return Reach.EVERYTHING;
  }

  /** Where the replay batch may write: rows that the old query has written must not come twice. */
  private Optional<ReplaySink> sink(boolean isComplete) {
    boolean isAlone = operators.size() == 1;
    boolean isWindow = isAlone && operators.get(0).kind() == OperatorKind.WINDOW;
    if (isWindow && stream.query().outputMode().isEmpty()) {
      incomplete(
          "query.outputMode",
          "the plan does not say whether the query gives out open windows (update) or closed ones"
              + " alone (append), and a replay would give open ones out again",
          "add outputMode: append, or update");
      return Optional.empty();
    }
    boolean isUpdate = stream.query().outputMode().filter(OutputMode.UPDATE::equals).isPresent();
    boolean hasKeys = !stream.sink().isEmpty() && stream.sink().stream().allMatch(SinkPlan::merges);
    ReplaySink natural =
        isComplete || isWindow && !isUpdate
            ? ReplaySink.REAL
            : isWindow && hasKeys ? ReplaySink.MERGE : ReplaySink.SCRATCH;
    ReplaySink sink = stream.replay().sink().orElse(natural);
    if (sink == ReplaySink.REAL && natural != ReplaySink.REAL) {
      inexact(
          "replay.sink",
          "the batch that rebuilds the state gives out rows again which the old query has written,"
              + " and the query's own sink would have them twice",
          "say sink: scratch, or, for one window in update mode whose sink is written by MERGE on"
              + " keys, sink: merge");
    }
    if (sink == ReplaySink.MERGE && !hasKeys) {
      incomplete(
          "sink.keys",
          "replay.sink is merge, and the plan does not say by which columns a row of the table is"
              + " found again",
          "add the table and its keys: sink: {delta: ..., keys: [...]}");
      return Optional.empty();
    }
    boolean isWhole =
        isWindow || isComplete || isAlone && operators.get(0).kind() == OperatorKind.DEDUPE;
    if (sink == ReplaySink.MERGE && !isWhole) {
      inexact(
          "replay.sink",
          "the batch that rebuilds the state also gives out rows of what was closed before, from a"
              + " part of their input, and a MERGE would put them in the place of the right ones",
          "say sink: scratch");
    }
    return Optional.of(sink);
  }

  private void incomplete(String subject, String message, String remedy) {
    findings.add(Finding.error(FindingCode.PLAN_INCOMPLETE, subject, message, remedy));
  }

  private void inexact(String subject, String message, String remedy) {
    findings.add(Finding.error(FindingCode.REPLAY_INEXACT, subject, message, remedy));
  }
}
