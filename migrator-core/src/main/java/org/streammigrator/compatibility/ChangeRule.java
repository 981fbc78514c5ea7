package org.streammigrator.compatibility;

import static java.util.Objects.requireNonNull;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ChangeKind;

/**
 * What one kind of change means under one condition. Texts may hold <code>{name}</code> for a value
 * of {@link Situation#values()}.
 *
 * @param id a stable name
 * @param kind the kind of change
 * @param when the condition
 * @param effects what happens, by Spark version
 * @param guide what the guide's section "Recovery Semantics after Changes in a Streaming Query"
 *     says
 * @param enforced what Spark checks or does
 * @param consequence what that means for the query
 * @param way the cheapest way for a query without state
 * @param wayWithState the cheapest way for one whose state is wanted
 * @param finding what to warn of although the change is compatible
 */
public record ChangeRule(
    String id,
    ChangeKind kind,
    Condition when,
    Map<String, Effect> effects,
    String guide,
    String enforced,
    String consequence,
    Way way,
    Way wayWithState,
    Optional<FindingCode> finding) {

  public ChangeRule {
    requireNonNull(id, "id");
    requireNonNull(kind, "kind");
    requireNonNull(when, "when");
    requireNonNull(guide, "guide");
    requireNonNull(enforced, "enforced");
    requireNonNull(consequence, "consequence");
    requireNonNull(way, "way");
    requireNonNull(wayWithState, "wayWithState");
    requireNonNull(finding, "finding");
    effects = Collections.unmodifiableMap(new LinkedHashMap<>(effects));
  }

  /** The condition in words. */
  public String condition() {
    return when.words();
  }

  /** Begins a rule. */
  static Builder rule(String id, ChangeKind kind, Condition when) {
    return new Builder(id, kind, when);
  }

  /** Puts a rule together. */
  static final class Builder {
    private final String id;
    private final ChangeKind kind;
    private final Condition when;
    private Map<String, Effect> effects = Map.of();
    private String guide = "not mentioned";
    private String enforced = "nothing is checked";

    private Builder(String id, ChangeKind kind, Condition when) {
      this.id = id;
      this.kind = kind;
      this.when = when;
    }

    /** The same effect in every version. */
    Builder effect(Effect effect) {
      return effect(effect, effect, effect, effect);
    }

    /** The effect in 3.5, 4.0, 4.1 and 4.2. */
    Builder effect(Effect in35, Effect in40, Effect in41, Effect in42) {
      effects = new LinkedHashMap<>();
      effects.put("3.5", in35);
      effects.put("4.0", in40);
      effects.put("4.1", in41);
      effects.put("4.2", in42);
      return this;
    }

    Builder guide(String says) {
      guide = says;
      return this;
    }

    Builder enforced(String does) {
      enforced = does;
      return this;
    }

    ChangeRule then(String consequence, Way way) {
      return then(consequence, way, way);
    }

    ChangeRule then(String consequence, Way way, Way wayWithState) {
      return new ChangeRule(
          id,
          kind,
          when,
          effects,
          guide,
          enforced,
          consequence,
          way,
          wayWithState,
          Optional.empty());
    }

    /** A compatible change that is worth a warning. */
    ChangeRule warning(FindingCode code, String consequence, Way way) {
      return new ChangeRule(
          id, kind, when, effects, guide, enforced, consequence, way, way, Optional.of(code));
    }
  }
}
