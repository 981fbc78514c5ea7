package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.ChunkEvent;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.job.StateResult;
import org.streammigrator.job.StateSpec;
import org.streammigrator.job.ValidateResult;
import org.streammigrator.job.ValidateSpec;

/** Stands for Spark where state is read; remembers what was asked. */
final class StateReads implements JobRunner {
  private final Function<StateSpec, StateResult> answer;
  private final List<StateSpec> asked = new ArrayList<>();

  StateReads(Function<StateSpec, StateResult> answer) {
    this.answer = requireNonNull(answer, "answer");
  }

  /** All that is compared is the same. */
  static StateReads same() {
    return new StateReads(
        spec -> result("dedupe", null, new StateResult.Comparison(0, 0, null, null)));
  }

  /** What is found of one operator. */
  static StateResult result(
      String operator, Instant earliestSession, StateResult.Comparison comparison) {
    return new StateResult(
        comparison == null || comparison.isSame(),
        List.of(new StateResult.Operator(0, operator, 5L, earliestSession, comparison)),
        null,
        1);
  }

  List<StateSpec> asked() {
    return List.copyOf(asked);
  }

  @Override
  public StateResult state(StateSpec spec, RunnerSpec runner) {
    asked.add(spec);
    return answer.apply(spec);
  }

  @Override
  public ValidateResult validate(ValidateSpec spec, RunnerSpec runner) {
    throw new AssertionError("no comparison was asked for");
  }

  @Override
  public BackfillResult backfill(BackfillSpec spec, RunnerSpec runner, Consumer<ChunkEvent> told) {
    throw new AssertionError("no backfill was asked for");
  }
}
