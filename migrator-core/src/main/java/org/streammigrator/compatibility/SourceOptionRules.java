package org.streammigrator.compatibility;

import static org.streammigrator.compatibility.ChangeRule.rule;
import static org.streammigrator.compatibility.Condition.ALWAYS;
import static org.streammigrator.compatibility.Condition.COMMITTED;
import static org.streammigrator.compatibility.Condition.when;
import static org.streammigrator.compatibility.Effect.ALLOWED;
import static org.streammigrator.compatibility.Effect.FAILS;
import static org.streammigrator.compatibility.Effect.IGNORED;
import static org.streammigrator.compatibility.Effect.SILENT;
import static org.streammigrator.finding.FindingCode.CHANGE_NEEDS_CARE;
import static org.streammigrator.finding.FindingCode.NO_CHECKPOINT_IN_EFFECT;
import static org.streammigrator.finding.FindingCode.SOURCE_MAY_SKIP;
import static org.streammigrator.plan.ChangeKind.SOURCE_OPTION;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Rules about the options of sources. Origin: the sources' own code, and their pages. */
final class SourceOptionRules {
  private static final Set<String> STARTING_OPTIONS =
      Set.of(
          "startingoffsets",
          "startingoffsetsbytimestamp",
          "startingtimestamp",
          "startingversion",
          "eventhubs.startingpositions",
          "eventhubs.startingposition",
          "initialposition",
          "starting-snapshot-id",
          "includeexistingfiles");

  private static final Set<String> RATE_OPTIONS =
      Set.of(
          "maxoffsetspertrigger",
          "minoffsetspertrigger",
          "maxtriggerdelay",
          "maxfilespertrigger",
          "maxbytespertrigger",
          "rowspersecond");

  private SourceOptionRules() {}

  static final List<ChangeRule> RULES =
      List.of(
          rule(
                  "option-stream-from-timestamp",
                  SOURCE_OPTION,
                  option("stream-from-timestamp").and(COMMITTED))
              .effect(ALLOWED)
              .enforced("Iceberg's reader looks at the option at every start")
              .warning(
                  SOURCE_MAY_SKIP,
                  "a time later than the committed position skips the snapshots between them although"
                      + " the checkpoint has a position: take the option away before the restart",
                  Way.RESTART),
          rule(
                  "option-starting",
                  SOURCE_OPTION,
                  when("a starting option", now -> isOneOf(STARTING_OPTIONS, now)).and(COMMITTED))
              .effect(IGNORED)
              .guide("ignored once a query has started")
              .enforced("sources look at it only while no batch is committed")
              .then("the query goes on at the checkpoint's position", Way.NONE),
          rule(
                  "option-starting-first-batch",
                  SOURCE_OPTION,
                  when("a starting option", now -> isOneOf(STARTING_OPTIONS, now)))
              .effect(ALLOWED)
              .enforced("batch 0 that is not committed asks the option, or sources/<id>/0, again")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "no batch is committed: Kafka takes what stands in sources/<id>/0, Delta takes the"
                      + " new option",
                  Way.RESTART),
          rule(
                  "option-rate",
                  SOURCE_OPTION,
                  when("a rate limit", now -> isOneOf(RATE_OPTIONS, now)))
              .effect(ALLOWED)
              .guide("allowed")
              .then("it holds from the next batch that is planned; {pending}", Way.RESTART),
          rule(
                  "option-change-feed",
                  SOURCE_OPTION,
                  option("readChangeFeed", "readChangeData")
                      .and(when("Delta inside a version", SourceOptionRules::insideVersion)))
              .effect(SILENT)
              .enforced("nothing is checked; the index counts other files with the change feed")
              .then(
                  "the query goes on at another file of the version: files are lost or repeated",
                  Way.SEED,
                  Way.REPLAY),
          rule("option-file-name-only", SOURCE_OPTION, option("fileNameOnly"))
              .effect(SILENT)
              .enforced("seen files are compared by another key")
              .then("files that were seen are new again, or new ones pass for seen", Way.SEED),
          rule("option-data-loss", SOURCE_OPTION, option("failOnDataLoss"))
              .effect(ALLOWED)
              .enforced("what is missing stops the query (true), or is a line in the log (false)")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "with false, records that are gone are skipped without an error",
                  Way.RESTART),
          rule(
                  "option-checkpoint-location-read",
                  SOURCE_OPTION,
                  option("checkpointLocation")
                      .and(
                          when(
                              "not on the sink",
                              now -> !SinkChangeRules.hasCheckpoint(now.writeOptions()))))
              .effect(IGNORED)
              .enforced("readStream knows no checkpointLocation; only writeStream does")
              .warning(
                  NO_CHECKPOINT_IN_EFFECT,
                  "no checkpoint is in effect: Spark makes up a temporary one, and every start is a"
                      + " first start. Set checkpointLocation on writeStream",
                  Way.RESTART),
          rule("option-checkpoint-location-both", SOURCE_OPTION, option("checkpointLocation"))
              .effect(IGNORED)
              .enforced("readStream knows no checkpointLocation; only writeStream does")
              .then("the one on writeStream is in effect", Way.NONE),
          rule("option-subscribe", SOURCE_OPTION, option("subscribePattern", "assign"))
              .effect(FAILS)
              .guide("not allowed (unpredictable)")
              .enforced(
                  "Kafka's partitions that are gone are a data loss (failOnDataLoss, default true)")
              .then(
                  "topics or partitions that are no longer read stop the query, new ones are read from"
                      + " earliest; declare a change of kind topic for a finer verdict",
                  Way.SEED,
                  Way.REPLAY),
          rule("option", SOURCE_OPTION, ALWAYS)
              .effect(ALLOWED)
              .enforced("options of sources are not in the checkpoint")
              .then("it holds from the restart", Way.RESTART));

  static Condition option(String... names) {
    List<String> lower = Arrays.stream(names).map(name -> name.toLowerCase(Locale.ROOT)).toList();
    return when(
        String.join(" or ", names), now -> lower.contains(now.key().toLowerCase(Locale.ROOT)));
  }

  private static boolean isOneOf(Set<String> names, Situation now) {
    return names.contains(now.key().toLowerCase(Locale.ROOT));
  }

  private static boolean insideVersion(Situation now) {
    return now.sources().stream()
        .anyMatch(
            source ->
                source.committed() != null
                    && source.type().label().equals("delta")
                    && (source.committed().path("index").longValue() >= 0
                        || source.committed().path("isStartingVersion").asBoolean()));
  }
}
