package org.streammigrator.compatibility;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.StateSchema;
import org.streammigrator.checkpoint.StateSchemas;
import org.streammigrator.plan.ChangePlan;
import org.streammigrator.verdict.Inspection;

/**
 * A change, and what the checkpoint says that decides on it.
 *
 * @param checkpoint what the checkpoint holds
 * @param schemas its state's schemas
 * @param hasState whether it has a directory {@code state}
 * @param change the change
 * @param readOptions the options that the new query gives its sources, where they are declared
 * @param writeOptions those that it gives its sink
 */
record Situation(
    Inspection checkpoint,
    StateSchemas schemas,
    boolean hasState,
    ChangePlan change,
    Map<String, String> readOptions,
    Map<String, String> writeOptions) {

  Situation {
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(schemas, "schemas");
    requireNonNull(change, "change");
    readOptions = Map.copyOf(readOptions);
    writeOptions = Map.copyOf(writeOptions);
  }

  boolean stateful() {
    return hasState || !checkpoint.state().isEmpty();
  }

  int offsetLogVersion() {
    return checkpoint.offsetLogVersion() == null ? 1 : checkpoint.offsetLogVersion();
  }

  int commitLogVersion() {
    return checkpoint.commitLogVersion() == null ? 1 : checkpoint.commitLogVersion();
  }

  /** Whether the log tells its sources apart by names and not by their positions. */
  boolean named() {
    return offsetLogVersion() == 2
        && checkpoint.sources().stream().anyMatch(source -> !source.id().matches("[0-9]+"));
  }

  OptionalLong committedBatch() {
    Long committed = checkpoint.batches().lastCommitted();
    return committed == null ? OptionalLong.empty() : OptionalLong.of(committed);
  }

  List<Long> pending() {
    return checkpoint.batches().pending();
  }

  /** The sources that the change is about: the one it names, else all. */
  List<Inspection.Source> sources() {
    return checkpoint.sources().stream()
        .filter(source -> change.source().isEmpty() || change.source().get().equals(source.id()))
        .toList();
  }

  /** Whether one of the sources that the change is about is of a kind. */
  boolean reads(String kind) {
    return sources().stream().anyMatch(source -> source.type().label().equals(kind));
  }

  /** The setting's or option's name; empty if the change names none. */
  String key() {
    return change.key().orElse("");
  }

  /** The new value: {@code to}, or else {@code value}. */
  String target() {
    return change.to().or(change::value).orElse("");
  }

  /** The old value, where the change tells it. */
  String before() {
    return change.from().orElse("");
  }

  Optional<String> pinned(String key) {
    return Optional.ofNullable(checkpoint.conf().get(key));
  }

  Optional<String> pinnedProvider() {
    return pinned(OffsetHeader.STATE_PROVIDER);
  }

  /** Whether the operators' names are recorded, so that Spark 4.0 and later compare them. */
  boolean operatorsRecorded() {
    return checkpoint.state().stream().anyMatch(state -> state.name() != null);
  }

  /** Whether an operator of a name is there, the one the change names or any. */
  boolean hasOperator(String name) {
    return checkpoint.state().stream()
        .filter(
            state ->
                change.operator().isEmpty()
                    || change.operator().get().equals(Integer.toString(state.operator())))
        .anyMatch(state -> name.equals(state.name()));
  }

  /** The state schema that a change of {@code state-schema} is about, where it stands. */
  Optional<StateSchema> schema() {
    return schemas.current().stream()
        .filter(
            schema ->
                change.operator().isEmpty()
                    || change.operator().get().equals(Integer.toString(schema.operator())))
        .filter(
            schema ->
                change.type().isEmpty()
                    || change.type().get().equals(schema.store())
                    || change.type().get().equals(schema.store() + "/" + schema.columnFamily()))
        .findFirst();
  }

  /** How the new schemas compare with the old ones. */
  SchemaComparison comparison() {
    boolean avro =
        pinned("spark.sql.streaming.stateStore.encodingFormat")
            .filter(format -> format.equalsIgnoreCase("avro"))
            .isPresent();
    Optional<StateSchema> known = schema();
    Optional<JsonNode> oldValue =
        change.from().flatMap(SchemaComparison::parse).or(() -> known.map(StateSchema::value));
    Optional<String> newValue = change.to().or(change::value);
    Optional<String> newKey = change.key();
    SchemaComparison keys =
        SchemaComparison.of(
            known.map(StateSchema::key),
            newKey.flatMap(SchemaComparison::parse),
            newKey.isEmpty(),
            false);
    SchemaComparison values =
        SchemaComparison.of(
            oldValue, newValue.flatMap(SchemaComparison::parse), newValue.isEmpty(), avro);
    return keys.worse(values);
  }

  /** What the rules' texts may name. */
  Map<String, String> values() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("sources", Integer.toString(checkpoint.sources().size()));
    values.put("key", key());
    values.put("value", target());
    values.put("from", before());
    values.put("to", target());
    values.put("pinned", pinned(key()).orElse("nothing"));
    values.put("provider", pinnedProvider().orElse("none"));
    values.put("commit", Integer.toString(commitLogVersion()));
    values.put("offsets", Integer.toString(offsetLogVersion()));
    values.put("partitions", pinned(OffsetHeader.SHUFFLE_PARTITIONS).orElse("?"));
    List<Long> pending = pending();
    values.put(
        "pending",
        pending.isEmpty()
            ? "no batch is pending"
            : "batch "
                + pending.get(pending.size() - 1)
                + " is pending and runs first, as planned");
    values.put("difference", difference());
    return values;
  }

  private String difference() {
    return change.kind() == org.streammigrator.plan.ChangeKind.STATE_SCHEMA
        ? comparison().difference()
        : "";
  }
}
