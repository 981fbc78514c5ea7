package org.streammigrator.compatibility;

import static org.streammigrator.compatibility.ChangeRule.rule;
import static org.streammigrator.compatibility.Condition.ALWAYS;
import static org.streammigrator.compatibility.Condition.STATEFUL;
import static org.streammigrator.compatibility.Condition.STATELESS;
import static org.streammigrator.compatibility.Condition.when;
import static org.streammigrator.compatibility.Effect.ALLOWED;
import static org.streammigrator.compatibility.Effect.FAILS;
import static org.streammigrator.compatibility.Effect.IGNORED;
import static org.streammigrator.compatibility.Effect.SILENT;
import static org.streammigrator.finding.FindingCode.CHANGE_IGNORED;
import static org.streammigrator.finding.FindingCode.SESSION_CONF_CHANGED;
import static org.streammigrator.plan.ChangeKind.CONF;
import static org.streammigrator.plan.ChangeKind.PROVIDER;
import static org.streammigrator.plan.ChangeKind.SPARK_VERSION;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.plan.ChangeKind;

/**
 * Rules about settings, the state store provider and the Spark version. Origin: {@code
 * OffsetSeqMetadata} (the settings that a checkpoint pins, and what holds where one is absent),
 * {@code CommitLog}, restarts under Spark 3.5 to 4.2.
 */
final class SessionChangeRules {
  /** Pinned settings that Spark forces to an old value where an old log lacks them. */
  static final Map<String, String> FORCED =
      Map.of(
          "spark.sql.streaming.multipleWatermarkPolicy", "min",
          "spark.sql.streaming.flatMapGroupsWithState.stateFormatVersion", "1",
          "spark.sql.streaming.aggregation.stateFormatVersion", "1",
          "spark.sql.streaming.join.stateFormatVersion", "1",
          "spark.sql.streaming.stateStore.compression.codec", "lz4",
          "spark.sql.streaming.statefulOperator.useStrictDistribution", "false",
          "spark.sql.optimizer.pruneFiltersCanPruneStreamingSubplan", "true",
          "spark.sql.streaming.stateStore.encodingFormat", "unsaferow",
          "spark.sql.streaming.stateStore.rowChecksum.enabled", "false",
          "spark.sql.streaming.stateStore.rocksdb.mergeOperatorVersion", "1");

  private static final String FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion";
  private static final Set<String> MEANING =
      Set.of("spark.sql.session.timeZone", "spark.sql.ansi.enabled", "spark.sql.caseSensitive");

  private SessionChangeRules() {}

  static final List<ChangeRule> RULES = rules();

  private static List<ChangeRule> rules() {
    List<ChangeRule> rules = new ArrayList<>(shufflePartitions());
    rules.addAll(stateFormat());
    rules.addAll(
        providers(CONF, when("providerClass", now -> is(now, OffsetHeader.STATE_PROVIDER))));
    rules.addAll(settings());
    rules.addAll(providers(PROVIDER, ALWAYS));
    rules.addAll(versions());
    return List.copyOf(rules);
  }

  private static List<ChangeRule> shufflePartitions() {
    Condition shuffle = when("shuffle.partitions", now -> is(now, OffsetHeader.SHUFFLE_PARTITIONS));
    Condition absent =
        when("not pinned", now -> now.pinned(OffsetHeader.SHUFFLE_PARTITIONS).isEmpty());
    String way =
        "to change it, run the job repartition (RocksDB state, Spark 4.2), or start a new checkpoint"
            + " and rebuild the state (replay)";
    return List.of(
        rule("conf-same", CONF, when("the pinned value", SessionChangeRules::samePinned))
            .effect(ALLOWED)
            .then("the checkpoint pins {value} already", Way.NONE),
        rule("shuffle-partitions-not-pinned", CONF, shuffle.and(STATEFUL).and(absent))
            .effect(FAILS)
            .guide("not allowed with state")
            .enforced(
                "a log that pins no number takes the session's: a first batch of log v2, or one of"
                    + " Spark 2.1")
            .then(
                "with more partitions state files are missing, with fewer results are wrong: set the"
                    + " number that the state directories show",
                Way.REPLAY),
        rule("shuffle-partitions-stateful", CONF, shuffle.and(STATEFUL))
            .effect(IGNORED)
            .guide("not allowed with state")
            .enforced("the number in the newest offsets file wins over the session's")
            .warning(CHANGE_IGNORED, "ignored: it stays {pinned}; " + way, Way.NONE),
        rule("shuffle-partitions-stateless", CONF, shuffle.and(STATELESS))
            .effect(IGNORED, IGNORED, ALLOWED, ALLOWED)
            .guide("not mentioned for queries without state")
            .enforced(
                "up to 4.0 the number in the newest offsets file wins; from 4.1 on the session's holds"
                    + " for what keeps no state (SPARK-53942)")
            .then(
                "without state it takes effect from Spark 4.1 on; up to 4.0 it is ignored: it stays"
                    + " {pinned}",
                Way.RESTART));
  }

  private static List<ChangeRule> stateFormat() {
    Condition format = when("checkpointFormatVersion", now -> is(now, FORMAT));
    Condition one = when("2 to 1", now -> now.target().equals("1") && now.commitLogVersion() >= 2);
    Condition two = when("1 to 2", now -> now.target().equals("2") && now.commitLogVersion() == 1);
    return List.of(
        rule("state-format-2-to-1", CONF, format.and(one).and(STATEFUL))
            .effect(FAILS)
            .guide("not supported")
            .enforced(
                "4.0 and 4.1: INVALID_LOG_VERSION.EXACT_MATCH_VERSION; 4.2: NumberFormatException on"
                    + " a state file's id; 3.5 cannot read the commit log")
            .then("going back to state format 1 is not supported", Way.REPLAY),
        rule("state-format-2-to-1-stateless", CONF, format.and(one))
            .effect(FAILS, FAILS, FAILS, ALLOWED)
            .guide("not supported")
            .enforced(
                "4.0 and 4.1 want the commit log's version to be the session's, also without state"
                    + " (INVALID_LOG_VERSION.EXACT_MATCH_VERSION)")
            .then("without state, 4.2 reads both versions", Way.SEED),
        rule("state-format-1-to-2", CONF, format.and(two).and(STATEFUL))
            .effect(IGNORED, FAILS, FAILS, FAILS)
            .enforced(
                "4.0 and 4.1: INVALID_LOG_VERSION.EXACT_MATCH_VERSION; 4.2: None.get at the first"
                    + " commit; 3.5 does not know the setting")
            .then("state of format 1 cannot be taken over into format 2", Way.REPLAY),
        rule("state-format-1-to-2-stateless", CONF, format.and(two))
            .effect(IGNORED, FAILS, FAILS, ALLOWED)
            .enforced(
                "4.0 and 4.1 want the commit log's version to be the session's, also without state"
                    + " (INVALID_LOG_VERSION.EXACT_MATCH_VERSION)")
            .then("without state, 4.2 reads both versions", Way.SEED));
  }

  private static List<ChangeRule> settings() {
    Condition evolution =
        when(
            "enableSourceEvolution",
            now -> is(now, "spark.sql.streaming.queryEvolution.enableSourceEvolution"));
    return List.of(
        rule("source-evolution", CONF, evolution)
            .effect(IGNORED, IGNORED, IGNORED, FAILS)
            .enforced(
                "4.2 asserts that all sources are named, or that none is, as in the first batch; older"
                    + " versions do not know it")
            .then("sources get or lose names only with a new checkpoint", Way.SEED, Way.REPLAY),
        rule(
                "offset-log-format",
                CONF,
                when(
                    "offsetLog.formatVersion",
                    now -> is(now, "spark.sql.streaming.offsetLog.formatVersion")))
            .effect(IGNORED)
            .enforced("the newest offsets file's version wins over the session's")
            .warning(CHANGE_IGNORED, "ignored: the log stays v{offsets}", Way.NONE),
        rule(
                "conf-pinned",
                CONF,
                when("a pinned setting", now -> now.pinned(now.key()).isPresent()))
            .effect(IGNORED)
            .guide("not allowed")
            .enforced("the value in the newest offsets file wins over the session's")
            .warning(
                CHANGE_IGNORED,
                "ignored: {key} stays {pinned}; another value needs a new checkpoint",
                Way.NONE),
        rule("conf-forced", CONF, when("pinned when absent", now -> FORCED.containsKey(now.key())))
            .effect(IGNORED)
            .enforced("where an old log lacks the setting, Spark forces the value of its time")
            .warning(
                CHANGE_IGNORED,
                "ignored by versions that pin it: a log without it counts as the old default",
                Way.NONE),
        rule("conf-meaning", CONF, when("time zone, ANSI mode", now -> MEANING.contains(now.key())))
            .effect(ALLOWED)
            .enforced("nothing: the checkpoint does not pin it")
            .warning(
                SESSION_CONF_CHANGED,
                "it takes effect at once: windows, casts and comparisons of new rows may differ from"
                    + " those in the state",
                Way.RESTART),
        rule("conf", CONF, ALWAYS)
            .effect(ALLOWED)
            .enforced("nothing: the checkpoint does not pin it")
            .then("it takes effect at the restart", Way.RESTART));
  }

  private static List<ChangeRule> providers(ChangeKind kind, Condition about) {
    String prefix = kind.label() + "-provider";
    return List.of(
        rule(
                prefix + "-databricks",
                kind,
                about.and(when("to com.databricks", now -> isDatabricks(now.target()))))
            .effect(FAILS)
            .enforced("the class is not there")
            .then(
                "Databricks' state store exists on Databricks only, and its files are read by nothing"
                    + " else; it is not switchable in place either",
                Way.SEED,
                Way.REPLAY),
        rule(
                prefix + "-from-databricks",
                kind,
                about.and(when("pinned com.databricks", SessionChangeRules::onDatabricks)))
            .effect(FAILS)
            .enforced("the pinned class {provider} wins, and outside Databricks it is not there")
            .then("the query does not start; it is not switchable in place", Way.SEED, Way.REPLAY),
        rule(
                prefix + "-same",
                kind,
                about.and(when("the pinned one", SessionChangeRules::sameProvider)))
            .effect(ALLOWED)
            .then("the checkpoint pins it already", Way.NONE),
        rule(prefix + "-switch", kind, about)
            .effect(FAILS)
            .guide("not allowed")
            .enforced(
                "the pinned {provider} wins over the session's; where none is pinned, the new one does"
                    + " not find its files")
            .then(
                "not switchable in place: the query goes on with the old store or does not find its"
                    + " state",
                Way.SEED,
                Way.REPLAY));
  }

  private static List<ChangeRule> versions() {
    return List.of(
        rule(
                "spark-version-offset-log",
                SPARK_VERSION,
                when(
                    "log v2, before 4.2", now -> now.offsetLogVersion() == 2 && before(now, "4.2")))
            .effect(FAILS)
            .guide("not supported")
            .enforced("INVALID_LOG_VERSION.MAX_SUPPORTED_VERSION: only 4.2 and later read v2")
            .then("Spark {to} does not start from it", Way.SEED, Way.REPLAY),
        rule(
                "spark-version-commit-log-3",
                SPARK_VERSION,
                when(
                    "commits v3, before 4.2",
                    now -> now.commitLogVersion() == 3 && before(now, "4.2")))
            .effect(FAILS)
            .guide("not supported")
            .enforced("INVALID_LOG_VERSION: only 4.2 and later read v3")
            .then("Spark {to} does not start from it", Way.SEED, Way.REPLAY),
        rule(
                "spark-version-commit-log-2",
                SPARK_VERSION,
                when(
                    "commits v2, before 4.0",
                    now -> now.commitLogVersion() >= 2 && before(now, "4.0")))
            .effect(FAILS)
            .guide("not supported")
            .enforced("INVALID_LOG_VERSION: only 4.0 and later read v2")
            .then("Spark {to} does not start from it", Way.SEED, Way.REPLAY),
        rule(
                "spark-version-from-databricks",
                SPARK_VERSION,
                STATEFUL.and(when("pinned com.databricks", SessionChangeRules::onDatabricks)))
            .effect(FAILS)
            .guide("not supported")
            .enforced("the pinned class {provider} wins, and outside Databricks it is not there")
            .then("open-source Spark does not start from it", Way.SEED, Way.REPLAY),
        rule(
                "spark-version-state",
                SPARK_VERSION,
                STATEFUL.and(
                    when("newer state than the version knows", SessionChangeRules::newerState)))
            .effect(SILENT)
            .guide("not supported")
            .enforced("settings that a version does not know are ignored, and its files with them")
            .then(
                "the state was written in a form that Spark {to} does not know, and is read as"
                    + " something else",
                Way.REPLAY),
        rule("spark-version", SPARK_VERSION, ALWAYS)
            .effect(ALLOWED)
            .guide("not mentioned")
            .enforced("the logs' versions; inspect says from which versions the checkpoint starts")
            .warning(
                SESSION_CONF_CHANGED,
                "time zone, ANSI mode (3.5: off, 4.x: on) and other defaults that the checkpoint does"
                    + " not pin may change what the query computes; set them",
                Way.RESTART));
  }

  private static boolean is(Situation now, String key) {
    return now.key().equals(key);
  }

  private static boolean samePinned(Situation now) {
    return now.pinned(now.key()).filter(now.target()::equals).isPresent();
  }

  private static boolean onDatabricks(Situation now) {
    return now.pinnedProvider().filter(SessionChangeRules::isDatabricks).isPresent();
  }

  private static boolean isDatabricks(String provider) {
    return provider.startsWith("com.databricks");
  }

  private static boolean sameProvider(Situation now) {
    String target = now.target();
    String pinned = now.pinnedProvider().orElse("");
    return target.equals(pinned)
        || !pinned.isEmpty()
            && StateProvider.ofClass(pinned)
                .label()
                .equals(target.toLowerCase(java.util.Locale.ROOT));
  }

  private static boolean newerState(Situation now) {
    boolean avro =
        now.pinned("spark.sql.streaming.stateStore.encodingFormat")
            .filter(format -> !format.equalsIgnoreCase("unsaferow"))
            .isPresent();
    boolean checksums =
        now.pinned("spark.sql.streaming.stateStore.rowChecksum.enabled")
            .filter("true"::equals)
            .isPresent();
    return avro && before(now, "4.0") || checksums && before(now, "4.1");
  }

  /** Whether the version that the change goes to is before another one, both as in 4.2. */
  private static boolean before(Situation now, String version) {
    return number(now.target()) < number(version);
  }

  private static int number(String version) {
    String[] parts = version.replaceAll("[^0-9.].*$", "").split("\\.");
    try {
      int minor = parts.length > 1 ? Integer.parseInt(parts[1]) : 0;
      return Integer.parseInt(parts[0]) * 1000 + minor;
    } catch (NumberFormatException noVersion) {
      return Integer.MAX_VALUE;
    }
  }
}
