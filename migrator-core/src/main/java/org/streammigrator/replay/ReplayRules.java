package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.ReplaySink;
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
  private final StreamPlan stream;
  private final List<OperatorPlan> operators;
  private final List<Finding> findings;

  /**
   * @param operators the stateful operators of the new query, from the source to the sink
   * @param findings where what is missing or forbids the replay is put
   */
  ReplayRules(StreamPlan stream, List<OperatorPlan> operators, List<Finding> findings) {
    this.stream = requireNonNull(stream, "stream");
    this.operators = List.copyOf(operators);
    this.findings = requireNonNull(findings, "findings");
  }

  /** How far an operator's state looks back from the watermark; empty for as far as there is. */
  private record Reach(Optional<Duration> back, boolean dropsInputAtWatermark) {
    private static final Reach EVERYTHING = new Reach(Optional.empty(), false);

    /** State that needs no row that was late. */
    private static Reach open(Duration back) {
      return new Reach(Optional.of(back), true);
    }

    /** State that may depend on rows which the watermark has passed. */
    private static Reach passed(Duration back) {
      return new Reach(Optional.of(back), false);
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
    int before = findings.size();
    List<Reach> reaches = operators.stream().map(this::reach).toList();
    if (findings.size() > before) {
      return Optional.empty();
    }
    boolean isComplete =
        stream.query().outputMode().filter(OutputMode.COMPLETE::equals).isPresent();
    boolean isEverything =
        isComplete
            || watermarkMs <= 0
            || reaches.stream().anyMatch(reach -> reach.back().isEmpty());
    Optional<ReplaySink> sink = sink(isComplete);
    if (sink.isEmpty()) {
      return Optional.empty();
    }
    if (isEverything) {
      return Optional.of(new ReplayTimes(Math.max(watermarkMs, 0), 0, null, sink.get()));
    }
    long back = 0;
    for (Reach reach : reaches) {
      back = Math.addExact(back, reach.back().orElseThrow().toMillis());
    }
    boolean isAlone = operators.size() == 1;
    long earliest = Math.subtractExact(watermarkMs, back) - (isAlone ? 0 : 1);
    boolean isLateAsBefore = isAlone && reaches.get(0).dropsInputAtWatermark();
    return Optional.of(
        new ReplayTimes(
            watermarkMs,
            isLateAsBefore ? watermarkMs : Math.max(earliest, 0),
            Instant.ofEpochMilli(earliest),
            sink.get()));
  }

  private Reach reach(OperatorPlan operator) {
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
      case JOIN -> Reach.open(operator.size().orElse(Duration.ZERO));
      case INTERVAL_JOIN ->
          operator.before().isPresent() && operator.after().isPresent()
              ? Reach.passed(
                  operator.before().get().compareTo(operator.after().get()) > 0
                      ? operator.before().get()
                      : operator.after().get())
              : Reach.EVERYTHING;
      case AGGREGATE, LIMIT -> Reach.EVERYTHING;
      case SESSION -> {
        findings.add(
            Finding.error(
                FindingCode.NOT_AVAILABLE,
                "query.operators",
                "replaying session windows is not available in this version: where the open"
                    + " sessions begin stands in the old state alone",
                "relocate the query if its operators are unchanged"));
        yield Reach.EVERYTHING;
      }
      case ARBITRARY -> arbitrary(operator);
    };
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
    boolean isWindow = operators.size() == 1 && operators.get(0).kind() == OperatorKind.WINDOW;
    boolean isAppend = stream.query().outputMode().orElse(OutputMode.APPEND) == OutputMode.APPEND;
    boolean isSilent = isWindow && isAppend;
    boolean hasKeys =
        !stream.sink().isEmpty() && stream.sink().stream().allMatch(sink -> !sink.keys().isEmpty());
    ReplaySink natural =
        isSilent || isComplete
            ? ReplaySink.REAL
            : isWindow && !isAppend && hasKeys ? ReplaySink.MERGE : ReplaySink.SCRATCH;
    ReplaySink sink = stream.replay().sink().orElse(natural);
    if (sink == ReplaySink.REAL && natural != ReplaySink.REAL) {
      inexact(
          "replay.sink",
          "the batch that rebuilds the state gives out rows again which the old query has written,"
              + " and the query's own sink would have them twice",
          "say sink: scratch, or, if the sink is written by MERGE on keys, sink: merge");
      return Optional.empty();
    }
    if (sink == ReplaySink.MERGE && !hasKeys) {
      incomplete(
          "sink.keys",
          "replay.sink is merge, and the plan does not say by which columns a row of the table is"
              + " found again",
          "add the table and its keys: sink: {delta: ..., keys: [...]}");
      return Optional.empty();
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
