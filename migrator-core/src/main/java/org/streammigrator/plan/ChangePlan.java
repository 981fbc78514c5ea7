package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A change of the query. */
public record ChangePlan(
    @Key(value = "What changed.", required = true) ChangeKind kind,
    @Key("The change in words.") Optional<String> detail,
    @Key(value = "The source it is about: its id in the old checkpoint.", form = Form.ANY_SCALAR)
        Optional<String> source,
    @Key(
            value = "The stateful operator it is about: its number in the old checkpoint.",
            form = Form.ANY_SCALAR)
        Optional<String> operator,
    @Key("The new type, of a join for instance; for sink-path the kind of the sink.")
        Optional<String> type,
    @Key(
            value =
                "The name of a setting or option; for state-schema the new key schema as Spark schema JSON.",
            form = Form.JSON_TEXT)
        Optional<String> key,
    @Key(
            value =
                "The new value of a setting or option; for state-schema the new value schema as Spark schema JSON.",
            form = Form.JSON_TEXT)
        Optional<String> value,
    @Key(
            value = "What it was before; for state-schema the old value schema.",
            form = Form.JSON_TEXT)
        Optional<String> from,
    @Key(value = "What it is now; for state-schema the new value schema.", form = Form.JSON_TEXT)
        Optional<String> to) {

  /** A change that is told by its kind alone. */
  public static ChangePlan of(ChangeKind kind) {
    Optional<String> none = Optional.empty();
    return new ChangePlan(kind, none, none, none, none, none, none, none, none);
  }

  /** The same change as one of another kind. */
  public ChangePlan as(ChangeKind other) {
    return new ChangePlan(other, detail, source, operator, type, key, value, from, to);
  }

  /** The same change with words about it. */
  public ChangePlan withDetail(String words) {
    return new ChangePlan(kind, Optional.of(words), source, operator, type, key, value, from, to);
  }

  /** The same change of one source. */
  public ChangePlan ofSource(String id) {
    return new ChangePlan(kind, detail, Optional.of(id), operator, type, key, value, from, to);
  }

  /** The same change of one stateful operator. */
  public ChangePlan ofOperator(String number) {
    return new ChangePlan(kind, detail, source, Optional.of(number), type, key, value, from, to);
  }

  /** The same change of one setting or option. */
  public ChangePlan ofSetting(String name, String newValue) {
    return new ChangePlan(
        kind, detail, source, operator, type, Optional.of(name), Optional.of(newValue), from, to);
  }

  /** The same change between two values. */
  public ChangePlan between(String before, String after) {
    return new ChangePlan(
        kind, detail, source, operator, type, key, value, Optional.of(before), Optional.of(after));
  }
}
