package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.checkpoint.StateSchema;
import org.streammigrator.checkpoint.StateSchemaReader;
import org.streammigrator.checkpoint.StateSchemas;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.DurationText;
import org.streammigrator.plan.ChangeKind;
import org.streammigrator.plan.OperatorKind;
import org.streammigrator.plan.OperatorPlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Store;

/**
 * What the old state says of the query's operators, to be compared with what the plan says.
 *
 * <p>Their names stand in {@code state/<operator>/_metadata} (Spark 4.0 and later: {@code
 * shortName} of each {@code StateStoreWriter}); the delay of the watermark and whether a key is a
 * window stand in the metadata of the key's columns ({@code spark.watermarkDelayMs}, {@code
 * spark.timeWindow}).
 */
final class OldOperators {
  private static final Map<String, Set<OperatorKind>> KINDS =
      Map.of(
          "stateStoreSave", Set.of(OperatorKind.WINDOW, OperatorKind.AGGREGATE),
          "sessionWindowStateStoreSaveExec", Set.of(OperatorKind.SESSION),
          "dedupe", Set.of(OperatorKind.DEDUPE),
          "dedupeWithinWatermark", Set.of(OperatorKind.DEDUPE_WITHIN),
          "symmetricHashJoin", Set.of(OperatorKind.JOIN, OperatorKind.INTERVAL_JOIN),
          "globalLimit", Set.of(OperatorKind.LIMIT),
          "flatMapGroupsWithState", Set.of(OperatorKind.ARBITRARY),
          "transformWithStateExec", Set.of(OperatorKind.ARBITRARY));

  private final StreamPlan stream;
  private final Reasons reasons;
  private final List<Old> operators = new ArrayList<>();

  /** An operator of the old query; its kinds are empty where nothing tells. */
  private record Old(String name, Set<OperatorKind> kinds, Optional<Duration> delay) {
    /** As a plan says it, and not as Spark does. */
    String words() {
      return kinds.isEmpty()
          ? name
          : String.join(" or ", kinds.stream().map(OperatorKind::label).sorted().toList());
    }
  }

  OldOperators(Store store, StreamPlan stream, Checkpoint checkpoint, Reasons reasons) {
    this.stream = requireNonNull(stream, "stream");
    this.reasons = requireNonNull(reasons, "reasons");
    StateSchemas schemas = new StateSchemaReader(store).read(checkpoint);
    for (OperatorState state : checkpoint.operators()) {
      String name = state.name().orElse("");
      List<JsonNode> columns = new ArrayList<>();
      for (StateSchema schema : schemas.of(state.operator())) {
        schema.key().path("fields").forEach(columns::add);
      }
      boolean isWindow =
          columns.stream().anyMatch(column -> column.at("/metadata/spark.timeWindow").asBoolean());
      Set<OperatorKind> kinds =
          name.equals("stateStoreSave") && isWindow
              ? Set.of(OperatorKind.WINDOW)
              : KINDS.getOrDefault(name, Set.of());
      Optional<Duration> delay =
          columns.stream()
              .map(column -> Json.exactLong(column.at("/metadata/spark.watermarkDelayMs")))
              .filter(found -> found.isPresent())
              .map(found -> Duration.ofMillis(found.getAsLong()))
              .findFirst();
      // Spark numbers operators from the sink on, a plan lists them from the source.
      operators.add(0, new Old(name, kinds, delay));
    }
  }

  /** Says where the plan contradicts it and declares no such change. */
  void compare() {
    List<OperatorPlan> declared = stream.query().operators();
    boolean isTold = operators.stream().noneMatch(old -> old.kinds().isEmpty());
    if (declared.isEmpty() || operators.isEmpty() || !isTold) {
      return;
    }
    boolean isSame = declared.size() == operators.size();
    for (int i = 0; isSame && i < declared.size(); i++) {
      isSame = operators.get(i).kinds().contains(declared.get(i).kind());
    }
    if (!isSame && !declares(ChangeKind.OPERATOR_ADDED) && !declares(ChangeKind.OPERATOR_REMOVED)) {
      reasons.incomplete(
          "query.operators",
          "the plan lists "
              + String.join(", ", declared.stream().map(o -> o.kind().label()).toList())
              + ", and the old query's state is that of "
              + String.join(", ", operators.stream().map(Old::words).toList())
              + " (from the source to the sink)",
          "correct it; or, if that is the change, declare it: changes: [{kind: operator-added}] or"
              + " operator-removed");
    }
    for (int i = 0; isSame && i < declared.size(); i++) {
      Optional<Duration> old = operators.get(i).delay();
      Optional<Duration> now = declared.get(i).delay();
      if (old.isPresent()
          && now.isPresent()
          && !old.equals(now)
          && !declares(ChangeKind.WATERMARK)) {
        reasons.incomplete(
            "query.operators",
            "the plan says that the delay of the operator "
                + declared.get(i).kind().label()
                + " is "
                + DurationText.words(now.get())
                + ", and the old query's was "
                + DurationText.words(old.get()),
            "correct it; or, if that is the change, declare it: changes: [{kind: watermark}]");
      }
    }
  }

  private boolean declares(ChangeKind kind) {
    return stream.changes().stream().anyMatch(change -> change.kind() == kind);
  }
}
