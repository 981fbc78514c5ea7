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
import static org.streammigrator.finding.FindingCode.CHANGE_NOT_CHECKED;
import static org.streammigrator.plan.ChangeKind.AGGREGATE;
import static org.streammigrator.plan.ChangeKind.DEDUPE_KEYS;
import static org.streammigrator.plan.ChangeKind.GROUPING;
import static org.streammigrator.plan.ChangeKind.JOIN;
import static org.streammigrator.plan.ChangeKind.OPERATOR_ADDED;
import static org.streammigrator.plan.ChangeKind.OPERATOR_REMOVED;
import static org.streammigrator.plan.ChangeKind.STATE_SCHEMA;
import static org.streammigrator.plan.ChangeKind.WATERMARK;
import static org.streammigrator.plan.ChangeKind.WINDOW;

import java.util.ArrayList;
import java.util.List;
import org.streammigrator.plan.ChangeKind;

/**
 * Rules about stateful operators. Origin: {@code OperatorStateMetadata} and its validation (4.0
 * on), {@code StateSchemaCompatibilityChecker} (3.1 on), restarts with changed operators.
 */
final class StateChangeRules {
  private static final String SCHEMA_ERROR =
      "the number, types and nullability of columns are compared, names are not"
          + " (STATE_STORE_KEY_SCHEMA_NOT_COMPATIBLE, STATE_STORE_VALUE_SCHEMA_NOT_COMPATIBLE)";
  private static final String NOT_ALLOWED = "not allowed";

  private StateChangeRules() {}

  static final List<ChangeRule> RULES = rules();

  private static List<ChangeRule> rules() {
    List<ChangeRule> rules = new ArrayList<>(operators());
    for (ChangeKind kind : List.of(AGGREGATE, GROUPING, WINDOW, DEDUPE_KEYS, JOIN)) {
      rules.add(
          rule(kind.label() + "-stateless", kind, STATELESS)
              .effect(FAILS)
              .guide(NOT_ALLOWED)
              .enforced(
                  "the checkpoint has no state: Spark misses it (4.2:"
                      + " STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY)")
              .then(
                  "the old query had no such operator; a query with one does not start on this"
                      + " checkpoint",
                  Way.REPLAY));
    }
    rules.addAll(shapes());
    rules.addAll(schemas());
    return List.copyOf(rules);
  }

  private static List<ChangeRule> operators() {
    Condition recorded = when("operators are recorded", Situation::operatorsRecorded);
    return List.of(
        rule("operator-added-stateless", OPERATOR_ADDED, STATELESS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(
                "state of a batch above 0 has to be there (4.2:"
                    + " STREAMING_STATEFUL_OPERATOR_MISSING_STATE_DIRECTORY; before: a missing state"
                    + " file)")
            .then("the query stops in its first batch", Way.REPLAY),
        rule("operator-added-recorded", OPERATOR_ADDED, STATEFUL.and(recorded))
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(
                "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA (4.0 on); 3.5 misses its"
                    + " state")
            .then("the query does not start", Way.REPLAY),
        rule("operator-added", OPERATOR_ADDED, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(
                "the new operator's state is missing, and a new one nearer the sink takes the number,"
                    + " and so the state, of the one before")
            .then("the query stops in its first batch", Way.REPLAY),
        rule("operator-removed-stateless", OPERATOR_REMOVED, STATELESS)
            .effect(ALLOWED)
            .then("the checkpoint has no state that could be missed", Way.RESTART),
        rule("operator-removed-recorded", OPERATOR_REMOVED, recorded)
            .effect(SILENT, FAILS, FAILS, FAILS)
            .guide(NOT_ALLOWED)
            .enforced(
                "STREAMING_STATEFUL_OPERATOR_NOT_MATCH_IN_STATE_METADATA from 4.0 on, since the"
                    + " operators are recorded; nothing in 3.5")
            .then(
                "the query does not start; under 3.5 it starts, and what was open in the state never"
                    + " comes out",
                Way.SEED,
                Way.REPLAY),
        rule("operator-removed", OPERATOR_REMOVED, ALWAYS)
            .effect(SILENT)
            .guide(NOT_ALLOWED)
            .enforced("nothing is checked while the operators are not recorded")
            .then(
                "the query starts; what was open in the operator's state never comes out, and"
                    + " operators nearer the source take other numbers",
                Way.SEED,
                Way.REPLAY));
  }

  private static List<ChangeRule> shapes() {
    return List.of(
        rule("aggregate", AGGREGATE, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then(
                "another number or type of aggregates stops the query; two aggregates of one type"
                    + " that change places, and another function of the same type, pass and give wrong"
                    + " results. Declare state-schema for a finer verdict",
                Way.REPLAY),
        rule("grouping", GROUPING, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then(
                "another number or type of keys stops the query; other keys of the same types pass"
                    + " and give wrong results. Declare state-schema for a finer verdict",
                Way.REPLAY),
        rule("window", WINDOW, ALWAYS)
            .effect(SILENT)
            .guide(NOT_ALLOWED)
            .enforced("nothing: a window is a start and an end, whatever its size")
            .then(
                "windows of the old size stay open beside those of the new size, and rows count in"
                    + " the new ones only from now on",
                Way.REPLAY),
        rule("dedupe-keys", DEDUPE_KEYS, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then(
                "another number or type of keys stops the query; other keys of the same types pass,"
                    + " and no row is known any more",
                Way.REPLAY),
        rule("join-type", JOIN, when("the type only", now -> now.change().type().isPresent()))
            .effect(SILENT)
            .guide(NOT_ALLOWED)
            .enforced("nothing: the join's type is not recorded")
            .then(
                "rows in the state were kept for the old type: an outer join gives out rows that the"
                    + " old one has matched, or misses some",
                Way.REPLAY),
        rule("join", JOIN, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then(
                "other keys or columns stop the query where their types differ, and pass with wrong"
                    + " results where they do not",
                Way.REPLAY),
        rule("watermark-stateless", WATERMARK, STATELESS)
            .effect(ALLOWED)
            .then("nothing depends on it", Way.RESTART),
        rule("watermark", WATERMARK, ALWAYS)
            .effect(ALLOWED)
            .guide("not mentioned")
            .enforced("nothing; the watermark goes on from the recorded one and never back")
            .warning(
                CHANGE_NEEDS_CARE,
                "a longer delay does not open again what is closed; a shorter one closes more at"
                    + " once",
                Way.RESTART));
  }

  private static List<ChangeRule> schemas() {
    return List.of(
        rule(
                "state-schema-stateless",
                STATE_SCHEMA,
                STATELESS.and(when("no schema to compare", now -> now.before().isEmpty())))
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced("the checkpoint has no state that the schema could fit")
            .then("the query stops in its first batch", Way.REPLAY),
        rule("state-schema-same", STATE_SCHEMA, compares("the same", SchemaComparison.Result.SAME))
            .effect(ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then("the schemas are the same", Way.RESTART),
        rule(
                "state-schema-renamed",
                STATE_SCHEMA,
                compares("other names only", SchemaComparison.Result.RENAMED))
            .effect(ALLOWED)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .warning(
                CHANGE_NOT_CHECKED,
                "{difference}: names are not compared. If it is a rename, all is well; if columns of"
                    + " one type changed places (a min and a max, say), their values are taken for"
                    + " each other without an error",
                Way.RESTART),
        rule(
                "state-schema-evolves",
                STATE_SCHEMA,
                compares("values in Avro that a reader can take", SchemaComparison.Result.EVOLVES))
            .effect(FAILS, ALLOWED, ALLOWED, ALLOWED)
            .guide(NOT_ALLOWED)
            .enforced("Avro's reader rules (encodingFormat avro, 4.0 on)")
            .then("{difference}: old values are read with the new schema", Way.RESTART),
        rule(
                "state-schema-unknown",
                STATE_SCHEMA,
                compares("nothing to compare", SchemaComparison.Result.UNKNOWN))
            .effect(SILENT)
            .guide(NOT_ALLOWED)
            .enforced("without a schema file Spark compares nothing and writes a new one")
            .then("{difference}; what does not fit is read as something else", Way.REPLAY),
        rule("state-schema", STATE_SCHEMA, ALWAYS)
            .effect(FAILS)
            .guide(NOT_ALLOWED)
            .enforced(SCHEMA_ERROR)
            .then("{difference}: the query stops in its first batch", Way.REPLAY));
  }

  private static Condition compares(String words, SchemaComparison.Result result) {
    return when(words, now -> now.comparison().result() == result);
  }
}
