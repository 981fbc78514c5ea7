package org.streammigrator.compatibility;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.StateSchema;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.verdict.Inspection;

/**
 * The changes between two queries, as their checkpoints show them: sources, operators, state
 * schemas, pinned settings, log versions. What no checkpoint records (the sink, filters, windows'
 * sizes, the type of a join) is not among them.
 */
final class DerivedChanges {
  private final Check.Subject old;
  private final Check.Subject now;
  private final List<ChangePlan> changes = new ArrayList<>();

  private DerivedChanges(Check.Subject old, Check.Subject now) {
    this.old = old;
    this.now = now;
  }

  static List<ChangePlan> between(Check.Subject old, Check.Subject now) {
    DerivedChanges derived = new DerivedChanges(old, now);
    derived.sources();
    derived.operators();
    derived.schemas();
    derived.settings();
    derived.logVersions();
    return derived.changes;
  }

  private void sources() {
    Map<String, Inspection.Source> before = byId(old.checkpoint());
    Map<String, Inspection.Source> after = byId(now.checkpoint());
    boolean positional = before.keySet().stream().allMatch(id -> id.matches("[0-9]+"));
    if (positional) {
      changes.addAll(SourceLists.changes(kinds(before), kinds(after)));
    } else {
      named(before, after);
    }
    before.forEach(
        (id, source) -> {
          Inspection.Source other = after.get(id);
          if (other != null && other.type() == source.type()) {
            place(source, other);
          }
        });
  }

  private void named(Map<String, Inspection.Source> before, Map<String, Inspection.Source> after) {
    before.forEach(
        (id, source) -> {
          Inspection.Source other = after.get(id);
          if (other == null) {
            changes.add(ChangePlan.of(ChangeKind.SOURCE_REMOVED).ofSource(id));
          } else if (other.type() != source.type()) {
            changes.add(
                ChangePlan.of(ChangeKind.SOURCE_KIND)
                    .ofSource(id)
                    .between(source.type().label(), other.type().label()));
          }
        });
    after.forEach(
        (id, source) -> {
          if (!before.containsKey(id)) {
            changes.add(ChangePlan.of(ChangeKind.SOURCE_ADDED).ofSource(id));
          }
        });
  }

  /** Topics by their names, tables by their ids. */
  private void place(Inspection.Source before, Inspection.Source after) {
    JsonNode was = before.planned();
    JsonNode is = after.planned();
    if (was == null || is == null) {
      return;
    }
    switch (before.type()) {
      case KAFKA, EVENTHUBS -> {
        String from = String.join(",", names(was));
        String to = String.join(",", names(is));
        if (!from.equals(to)) {
          changes.add(ChangePlan.of(ChangeKind.TOPIC).ofSource(before.id()).between(from, to));
        }
      }
      case DELTA -> {
        String from = was.path("reservoirId").asText();
        String to = is.path("reservoirId").asText();
        if (!from.equals(to)) {
          changes.add(
              ChangePlan.of(ChangeKind.PATH)
                  .ofSource(before.id())
                  .between(from, to)
                  .withDetail("another table, by its id"));
        }
      }
      default -> {
        // Their offsets do not say what is read.
      }
    }
  }

  private void operators() {
    Map<Integer, String> before = names(old.checkpoint());
    Map<Integer, String> after = names(now.checkpoint());
    if (before.isEmpty() && !old.hasState() && after.isEmpty()) {
      return;
    }
    before.forEach(
        (number, name) -> {
          String other = after.get(number);
          boolean renamed = other != null && !name.isEmpty() && !other.isEmpty();
          if (other == null || renamed && !other.equals(name)) {
            changes.add(operator(ChangeKind.OPERATOR_REMOVED, number, name));
          }
        });
    after.forEach(
        (number, name) -> {
          String other = before.get(number);
          boolean renamed = other != null && !name.isEmpty() && !other.isEmpty();
          if (other == null || renamed && !other.equals(name)) {
            changes.add(operator(ChangeKind.OPERATOR_ADDED, number, name));
          }
        });
  }

  private static ChangePlan operator(ChangeKind kind, int number, String name) {
    ChangePlan change = ChangePlan.of(kind).ofOperator(Integer.toString(number));
    return name.isEmpty() ? change : change.withDetail(name);
  }

  private void schemas() {
    Map<String, StateSchema> after = new LinkedHashMap<>();
    now.schemas().current().forEach(schema -> after.put(place(schema), schema));
    for (StateSchema schema : old.schemas().current()) {
      StateSchema other = after.get(place(schema));
      if (other != null
          && !(same(schema.key(), other.key()) && same(schema.value(), other.value()))) {
        changes.add(
            new ChangePlan(
                ChangeKind.STATE_SCHEMA,
                Optional.empty(),
                Optional.empty(),
                Optional.of(Integer.toString(schema.operator())),
                Optional.of(schema.store() + "/" + schema.columnFamily()),
                Optional.of(other.key().toString()),
                Optional.of(other.value().toString()),
                Optional.empty(),
                Optional.empty()));
      }
    }
  }

  private static boolean same(JsonNode before, JsonNode after) {
    return SchemaComparison.of(Optional.of(before), Optional.of(after), false, false).result()
        == SchemaComparison.Result.SAME;
  }

  private void settings() {
    Map<String, String> before = old.checkpoint().conf();
    Map<String, String> after = now.checkpoint().conf();
    for (String key : new TreeSet<>(before.keySet())) {
      String value = after.get(key);
      if (value != null && !value.equals(before.get(key))) {
        changes.add(
            key.equals(OffsetHeader.STATE_PROVIDER)
                ? ChangePlan.of(ChangeKind.PROVIDER).between(before.get(key), value)
                : ChangePlan.of(ChangeKind.CONF).ofSetting(key, value));
      }
    }
  }

  private void logVersions() {
    Integer before = old.checkpoint().commitLogVersion();
    Integer after = now.checkpoint().commitLogVersion();
    if (before != null && after != null && !before.equals(after) && before < 3 && after < 3) {
      changes.add(
          ChangePlan.of(ChangeKind.CONF)
              .ofSetting(
                  "spark.sql.streaming.stateStore.checkpointFormatVersion", after.toString()));
    }
    Integer offsetsBefore = old.checkpoint().offsetLogVersion();
    Integer offsetsAfter = now.checkpoint().offsetLogVersion();
    if (offsetsBefore != null && offsetsAfter != null && !offsetsBefore.equals(offsetsAfter)) {
      changes.add(
          ChangePlan.of(ChangeKind.CONF)
              .ofSetting("spark.sql.streaming.offsetLog.formatVersion", offsetsAfter.toString()));
    }
  }

  private static String place(StateSchema schema) {
    return schema.operator() + "/" + schema.store() + "/" + schema.columnFamily();
  }

  private static Map<String, Inspection.Source> byId(Inspection checkpoint) {
    Map<String, Inspection.Source> sources = new LinkedHashMap<>();
    checkpoint.sources().forEach(source -> sources.put(source.id(), source));
    return sources;
  }

  private static List<String> kinds(Map<String, Inspection.Source> sources) {
    return sources.values().stream().map(source -> source.type().label()).toList();
  }

  private static TreeSet<String> names(JsonNode object) {
    TreeSet<String> names = new TreeSet<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  private static Map<Integer, String> names(Inspection checkpoint) {
    Map<Integer, String> names = new TreeMap<>();
    checkpoint
        .state()
        .forEach(state -> names.put(state.operator(), state.name() == null ? "" : state.name()));
    return names;
  }
}
