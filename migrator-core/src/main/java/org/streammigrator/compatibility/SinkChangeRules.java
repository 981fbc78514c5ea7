package org.streammigrator.compatibility;

import static org.streammigrator.compatibility.ChangeRule.rule;
import static org.streammigrator.compatibility.Condition.ALWAYS;
import static org.streammigrator.compatibility.Condition.STATEFUL;
import static org.streammigrator.compatibility.Condition.STATELESS;
import static org.streammigrator.compatibility.Condition.when;
import static org.streammigrator.compatibility.Effect.ALLOWED;
import static org.streammigrator.compatibility.Effect.FAILS;
import static org.streammigrator.compatibility.Effect.SILENT;
import static org.streammigrator.finding.FindingCode.CHANGE_NEEDS_CARE;
import static org.streammigrator.plan.ChangeKind.FILTER;
import static org.streammigrator.plan.ChangeKind.OUTPUT_MODE;
import static org.streammigrator.plan.ChangeKind.PROJECTION;
import static org.streammigrator.plan.ChangeKind.SINK_KIND;
import static org.streammigrator.plan.ChangeKind.SINK_OPTION;
import static org.streammigrator.plan.ChangeKind.SINK_PATH;
import static org.streammigrator.plan.ChangeKind.TRIGGER;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Rules about the sink, the trigger, and what stands between source and sink without state. Origin:
 * the guide, {@code FileStreamSink.addBatch}, restarts with changed sinks and triggers.
 */
final class SinkChangeRules {
  private static final Set<String> FILE_SINKS =
      Set.of("files", "file", "parquet", "orc", "json", "csv", "avro", "text");
  private static final Set<String> ANY_TIME_SINKS =
      Set.of("kafka", "foreach", "foreachbatch", "custom", "console", "noop", "memory");

  private SinkChangeRules() {}

  static final List<ChangeRule> RULES =
      List.of(
          rule(
                  "sink-kind-same",
                  SINK_KIND,
                  when("the same kind", now -> sink(now.before()).equals(sink(now.target()))))
              .effect(ALLOWED)
              .then("nothing changes", Way.RESTART),
          rule("sink-kind-to-files", SINK_KIND, when("to files", now -> toFiles(now)))
              .effect(SILENT)
              .guide("not allowed")
              .then(
                  "the new directory's _spark_metadata begins in the middle: a later compaction does"
                      + " not find its first entries, and the query stops then",
                  Way.SEED,
                  Way.REPLAY),
          rule(
                  "sink-kind-to-any-time",
                  SINK_KIND,
                  when(
                      "to Kafka, foreach or foreachBatch",
                      now -> ANY_TIME_SINKS.contains(sink(now.target()))))
              .effect(ALLOWED)
              .guide("allowed; Kafka sees only new data")
              .then(
                  "the new sink gets what comes from now on, nothing earlier; {pending}",
                  Way.RESTART),
          rule("sink-kind", SINK_KIND, ALWAYS)
              .effect(ALLOWED)
              .warning(
                  CHANGE_NEEDS_CARE,
                  "the new sink gets what comes from now on, nothing earlier, and knows none of the"
                      + " old batches; {pending}, also if the old sink has it",
                  Way.RESTART),
          rule(
                  "sink-path-table",
                  SINK_PATH,
                  when("a table (type: delta, iceberg)", now -> sinkType(now, "delta", "iceberg")))
              .effect(ALLOWED)
              .warning(
                  CHANGE_NEEDS_CARE,
                  "the new table gets what comes from now on, nothing earlier, and knows none of the"
                      + " old batches; {pending}, also if the old table has it",
                  Way.RESTART),
          rule("sink-path-kafka", SINK_PATH, when("type: kafka", now -> sinkType(now, "kafka")))
              .effect(ALLOWED)
              .guide("allowed (Kafka's output topic)")
              .then("the new topic gets what comes from now on; {pending}", Way.RESTART),
          rule("sink-path", SINK_PATH, ALWAYS)
              .effect(SILENT)
              .guide("not allowed (file sink)")
              .then(
                  "the new directory's _spark_metadata begins in the middle: a later compaction does"
                      + " not find its first entries, and the query stops then",
                  Way.SEED,
                  Way.REPLAY),
          rule(
                  "sink-option-checkpoint-location-declared",
                  SINK_OPTION,
                  SourceOptionRules.option("checkpointLocation")
                      .and(when("among the options", now -> hasCheckpoint(now.writeOptions()))))
              .effect(ALLOWED)
              .enforced("the query uses the place that is named")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "the code names {value}, and the checkpoint that is looked at is elsewhere: all of"
                      + " this holds only if it is a copy of that one",
                  Way.RESTART),
          rule(
                  "sink-option-checkpoint-location",
                  SINK_OPTION,
                  SourceOptionRules.option("checkpointLocation"))
              .effect(SILENT)
              .enforced("the query uses the place that is named, and this checkpoint no more")
              .then(
                  "in an empty place the query starts anew, in another query's it goes on at a"
                      + " position that is not its own",
                  Way.RELOCATE),
          rule("sink-option-txn", SINK_OPTION, SourceOptionRules.option("txnAppId", "txnVersion"))
              .effect(ALLOWED)
              .enforced("Delta skips a write whose version is not above the id's last one")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "under a new id a batch that runs again is written again; {pending}",
                  Way.RESTART),
          rule("sink-option", SINK_OPTION, ALWAYS)
              .effect(ALLOWED)
              .guide("depends on the sink")
              .enforced("options of sinks are not in the checkpoint")
              .then("it holds from the restart", Way.RESTART),
          rule(
                  "trigger-continuous",
                  TRIGGER,
                  when("to continuous processing", now -> trigger(now).contains("continuous")))
              .effect(SILENT)
              .enforced("continuous processing starts after the newest commit, whatever is planned")
              .then("a planned batch is dropped: {pending}", Way.SEED),
          rule(
                  "trigger-real-time",
                  TRIGGER,
                  when("to real-time mode", now -> trigger(now).contains("realtime")))
              .effect(FAILS, FAILS, SILENT, SILENT)
              .enforced("real-time mode deletes planned batches that are not committed (4.1 on)")
              .then("a planned batch is dropped, not run: {pending}", Way.SEED),
          rule("trigger-once", TRIGGER, when("to Once", now -> trigger(now).equals("once")))
              .effect(ALLOWED)
              .guide("allowed")
              .enforced("Once runs one batch and ignores rate limits")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "{pending}; while one is, that run does nothing else, and new data waits for the"
                      + " next run. AvailableNow runs both",
                  Way.RESTART),
          rule("trigger", TRIGGER, ALWAYS)
              .effect(ALLOWED)
              .guide("allowed")
              .then("{pending}; then new data follows", Way.RESTART),
          rule("filter-stateful", FILTER, STATEFUL)
              .effect(ALLOWED)
              .guide("allowed")
              .enforced(
                  "nothing; a filter that folds to false can drop the source and its operators"
                      + " (pruneFiltersCanPruneStreamingSubplan, true unless pinned as false)")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "what is in the state was kept by the old filter, what comes by the new one; a"
                      + " filter that is always false may change the plan itself",
                  Way.RESTART),
          rule("filter", FILTER, ALWAYS)
              .effect(ALLOWED)
              .guide("allowed")
              .enforced(
                  "nothing; a filter that folds to false can drop the source"
                      + " (pruneFiltersCanPruneStreamingSubplan, true unless pinned as false)")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "a filter that is always false may drop the source, and the number of sources no"
                      + " longer fits",
                  Way.RESTART),
          rule("projection", PROJECTION, ALWAYS)
              .effect(ALLOWED)
              .guide("allowed with the same output schema; with another if the sink takes it")
              .enforced("the sink's own checks")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "a column that state is made of, or that the sink does not take, stops the query;"
                      + " declare the first as state-schema",
                  Way.RESTART),
          rule("output-mode-stateless", OUTPUT_MODE, STATELESS)
              .effect(ALLOWED)
              .enforced("without an aggregation append and update are one")
              .then("nothing changes", Way.RESTART),
          rule(
                  "output-mode-transform-with-state",
                  OUTPUT_MODE,
                  when(
                      "transformWithState",
                      now ->
                          now.hasOperator("transformWithStateExec")
                              || now.hasOperator("transformWithStateInPySparkExec")))
              .effect(FAILS)
              .enforced(
                  "STATE_STORE_INVALID_CONFIG_AFTER_RESTART (4.0 on; 3.5 has no such operator)")
              .then("the query does not start", Way.REPLAY),
          rule(
                  "output-mode-complete",
                  OUTPUT_MODE,
                  when(
                          "from or to complete",
                          now ->
                              now.target().equalsIgnoreCase("complete")
                                  || now.before().equalsIgnoreCase("complete"))
                      .and(STATEFUL))
              .effect(SILENT)
              .then(
                  "complete keeps all groups, the others drop what the watermark has passed: results"
                      + " lack the groups that are gone, or state is never dropped in time",
                  Way.REPLAY),
          rule("output-mode", OUTPUT_MODE, ALWAYS)
              .effect(ALLOWED)
              .warning(
                  CHANGE_NEEDS_CARE,
                  "groups that are open come out under the new mode as well: to append, groups that"
                      + " update has given out come once more",
                  Way.RESTART));

  static boolean hasCheckpoint(Map<String, String> options) {
    return options.keySet().stream().anyMatch(key -> key.equalsIgnoreCase("checkpointLocation"));
  }

  private static String sink(String text) {
    String plain = text.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "").replaceAll("sink$", "");
    return FILE_SINKS.contains(plain) ? "files" : plain;
  }

  private static boolean toFiles(Situation now) {
    return sink(now.target()).equals("files");
  }

  private static boolean sinkType(Situation now, String... kinds) {
    return List.of(kinds).contains(sink(now.change().type().orElse("")));
  }

  private static String trigger(Situation now) {
    return now.target().toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "").replace("trigger", "");
  }
}
