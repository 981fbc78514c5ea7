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
    @Key("The new type, of a join for instance.") Optional<String> type,
    @Key(
            value =
                "The name of a setting; for state-schema the new key schema as Spark schema JSON.",
            form = Form.JSON_TEXT)
        Optional<String> key,
    @Key(
            value =
                "The new value of a setting; for state-schema the new value schema as Spark schema JSON.",
            form = Form.JSON_TEXT)
        Optional<String> value,
    @Key(value = "What it was before.", form = Form.ANY_SCALAR) Optional<String> from,
    @Key(value = "What it is now.", form = Form.ANY_SCALAR) Optional<String> to) {}
