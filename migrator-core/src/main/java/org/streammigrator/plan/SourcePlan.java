package org.streammigrator.plan;

import java.util.Map;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A source of the new query: facts, where it stood in the old checkpoint, or that it is gone. */
public record SourcePlan(
    @Key(value = "The source's address.", form = Form.KIND_AS_KEY)
        Optional<Address<SourceKind>> address,
    @Key("The source's name in the new query.") Optional<String> name,
    @Key("The topic, for sources that have one.") Optional<String> topic,
    @Key("The event time: a column, or an expression in SQL over the source's columns.")
        Optional<String> eventTime,
    @Key(
            value =
                "Where the source stood in the old checkpoint: its id there, or none for a new source. The same place when left out.",
            form = Form.ANY_SCALAR)
        Optional<String> was,
    @Key(
            value = "Whether the source is gone from the new query; was says which one it is.",
            defaultsTo = "false")
        boolean removed,
    @Key("How the position is carried over when the source moved.")
        Optional<TranslatePlan> translate,
    @Key("Reader options and client settings.") Map<String, SecretText> options) {

  /** Whether the source is declared to be new ({@code was: none}). */
  public boolean isNew() {
    return was.filter("none"::equals).isPresent();
  }
}
