package org.streammigrator.compatibility;

import static org.streammigrator.compatibility.ChangeRule.rule;
import static org.streammigrator.compatibility.Condition.ALWAYS;
import static org.streammigrator.compatibility.Condition.NAMED;
import static org.streammigrator.compatibility.Condition.POSITIONAL;
import static org.streammigrator.compatibility.Condition.when;
import static org.streammigrator.compatibility.Effect.ALLOWED;
import static org.streammigrator.compatibility.Effect.FAILS;
import static org.streammigrator.compatibility.Effect.SILENT;
import static org.streammigrator.finding.FindingCode.CHANGE_NEEDS_CARE;
import static org.streammigrator.plan.ChangeKind.PATH;
import static org.streammigrator.plan.ChangeKind.RATE_LIMIT;
import static org.streammigrator.plan.ChangeKind.SOURCE_ADDED;
import static org.streammigrator.plan.ChangeKind.SOURCE_KIND;
import static org.streammigrator.plan.ChangeKind.SOURCE_ORDER;
import static org.streammigrator.plan.ChangeKind.SOURCE_REMOVED;
import static org.streammigrator.plan.ChangeKind.TOPIC;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.verdict.Inspection;

/**
 * Rules about sources. Origin: the guide; {@code OffsetSeq.toStreamProgress} (the assertion on the
 * number of sources); restarts under Spark 3.5 to 4.2 with sources added, removed and swapped.
 */
final class SourceChangeRules {
  private static final String COUNT =
      "an assertion: \"There are [{sources}] sources in the checkpoint offsets and now there are"
          + " [n] sources requested by the query\"; a source that is read twice counts twice";
  private static final String NO_START = "the query does not start";

  private SourceChangeRules() {}

  static final List<ChangeRule> RULES =
      List.of(
          rule("source-added-named", SOURCE_ADDED, NAMED)
              .effect(FAILS, FAILS, FAILS, ALLOWED)
              .guide("not allowed")
              .enforced("4.2 matches sources by name; older versions cannot read log v2")
              .then("the new source starts where its own options say", Way.RESTART),
          rule("source-added", SOURCE_ADDED, POSITIONAL)
              .effect(FAILS)
              .guide("not allowed")
              .enforced(COUNT)
              .then(NO_START, Way.SEED, Way.REPLAY),
          rule("source-removed-named", SOURCE_REMOVED, NAMED)
              .effect(FAILS, FAILS, FAILS, ALLOWED)
              .guide("not allowed")
              .enforced("4.2 matches sources by name; older versions cannot read log v2")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "the source's position is dropped from the next plan; added again later, it starts"
                      + " over",
                  Way.RESTART),
          rule("source-removed", SOURCE_REMOVED, POSITIONAL)
              .effect(FAILS)
              .guide("not allowed")
              .enforced(COUNT)
              .then(NO_START, Way.SEED, Way.REPLAY),
          rule("source-order-named", SOURCE_ORDER, NAMED)
              .effect(FAILS, FAILS, FAILS, ALLOWED)
              .enforced("4.2 matches sources by name; older versions cannot read log v2")
              .then("every source goes on where it stood", Way.RESTART),
          rule(
                  "source-order-single",
                  SOURCE_ORDER,
                  when("one source", now -> now.checkpoint().sources().size() < 2))
              .effect(ALLOWED)
              .then("there is nothing to swap", Way.RESTART),
          rule(
                  "source-order-same-kind",
                  SOURCE_ORDER,
                  when("sources by position, of one kind", SourceChangeRules::sameKinds))
              .effect(SILENT)
              .enforced("lines belong to sources by position, and nothing else is compared")
              .then(
                  "sources that change places read on from each other's positions: rows are lost and"
                      + " repeated without an error",
                  Way.SEED,
                  Way.REPLAY),
          rule("source-order", SOURCE_ORDER, POSITIONAL)
              .effect(FAILS)
              .enforced(
                  "lines belong to sources by position; a source that gets another kind's line fails"
                      + " to parse it")
              .then(NO_START + ": the kinds do not match line by line", Way.SEED, Way.REPLAY),
          rule(
                  "source-kind-kafka-shaped",
                  SOURCE_KIND,
                  when("between Kafka and Event Hubs", SourceChangeRules::bothKafkaShaped))
              .effect(SILENT)
              .guide("not allowed")
              .enforced("nothing is checked, and both write the same JSON")
              .then(
                  "the numbers are taken over although nothing proves that Kafka offsets equal"
                      + " sequence numbers: compare with the earliest and latest of every partition,"
                      + " and start a new checkpoint",
                  Way.START_OPTIONS,
                  Way.REPLAY),
          rule("source-kind", SOURCE_KIND, ALWAYS)
              .effect(FAILS)
              .guide("not allowed")
              .enforced("nothing is checked; the new source parses the old one's JSON")
              .then(
                  NO_START
                      + ", or starts at a position that means something else where the texts look"
                      + " alike",
                  Way.SEED,
                  Way.REPLAY),
          rule("topic-same", TOPIC, when("the same topics", SourceChangeRules::sameTopics))
              .effect(ALLOWED)
              .then("nothing changes", Way.RESTART),
          rule(
                  "topic-added",
                  TOPIC,
                  when("topics added, none gone", SourceChangeRules::onlyAddsTopics))
              .effect(ALLOWED)
              .guide("not allowed (unpredictable)")
              .enforced("new topics are new partitions, which start at earliest")
              .warning(
                  CHANGE_NEEDS_CARE,
                  "the new topic is read from its earliest record, whatever startingOffsets says; if"
                      + " that is not offset 0, Spark takes it for a data loss",
                  Way.RESTART),
          rule("topic", TOPIC, ALWAYS)
              .effect(FAILS)
              .guide("not allowed (unpredictable)")
              .enforced(
                  "Kafka's partitions that are gone are a data loss (failOnDataLoss, default true)")
              .then(
                  "the query stops; with failOnDataLoss=false it forgets the old topic and reads the"
                      + " new one from earliest",
                  Way.SEED,
                  Way.REPLAY),
          rule("path-files", PATH, when("file source", now -> now.reads("files")))
              .effect(FAILS)
              .guide("not allowed (unpredictable)")
              .enforced(
                  "seen files are known by full path; old ones outside of the new path give \"Wrong"
                      + " basePath\"")
              .then(
                  "the query does not start, or, with a pattern as path, reads every file again",
                  Way.RELOCATE),
          rule("path-delta", PATH, when("Delta source", now -> now.reads("delta")))
              .effect(FAILS)
              .guide("not allowed (unpredictable)")
              .enforced(
                  "the table's id has to be the one in the offset"
                      + " (DIFFERENT_DELTA_TABLE_READ_BY_STREAMING_SOURCE)")
              .then(
                  "another table, also a clone of the old one, is refused; only a table that was"
                      + " moved with its log keeps its id and goes on",
                  Way.SEED,
                  Way.REPLAY),
          rule("path", PATH, ALWAYS)
              .effect(SILENT)
              .guide("not allowed (unpredictable)")
              .then("the old position means nothing in another place", Way.SEED, Way.REPLAY),
          rule("rate-limit", RATE_LIMIT, ALWAYS)
              .effect(ALLOWED)
              .guide("allowed")
              .then("it holds from the next batch that is planned; {pending}", Way.RESTART));

  private static boolean sameKinds(Situation now) {
    return !now.named()
        && now.checkpoint().sources().stream().map(source -> source.type()).distinct().count() == 1;
  }

  private static boolean bothKafkaShaped(Situation now) {
    Set<String> shaped = Set.of("kafka", "eventhubs");
    String to = now.target().toLowerCase(Locale.ROOT);
    String from = now.before().toLowerCase(Locale.ROOT);
    boolean was =
        from.isEmpty() ? now.reads("kafka") || now.reads("eventhubs") : shaped.contains(from);
    return was && shaped.contains(to);
  }

  private static boolean sameTopics(Situation now) {
    Set<String> before = topicsBefore(now);
    return !before.isEmpty() && before.equals(topics(now.target()));
  }

  private static boolean onlyAddsTopics(Situation now) {
    Set<String> before = topicsBefore(now);
    Set<String> after = topics(now.target());
    return !before.isEmpty() && after.containsAll(before) && after.size() > before.size();
  }

  /** Those that the change names as the old ones, or else those in the checkpoint. */
  private static Set<String> topicsBefore(Situation now) {
    Set<String> topics = topics(now.before());
    if (topics.isEmpty()) {
      for (Inspection.Source source : now.sources()) {
        boolean hasTopics =
            source.type() == SourceKind.KAFKA || source.type() == SourceKind.EVENTHUBS;
        if (hasTopics && source.planned() != null) {
          source.planned().fieldNames().forEachRemaining(topics::add);
        }
      }
    }
    return topics;
  }

  private static Set<String> topics(String text) {
    Set<String> topics = new HashSet<>();
    for (String topic : text.split(",")) {
      if (!topic.isBlank()) {
        topics.add(topic.strip());
      }
    }
    return topics;
  }
}
