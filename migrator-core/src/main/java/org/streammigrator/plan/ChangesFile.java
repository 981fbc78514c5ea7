package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A file of changes, as the check command reads it: one of its keys at least. */
public record ChangesFile(
    @Key("The changes of the query.") List<ChangePlan> changes,
    @Key(
            value =
                "The kinds of the new query's sources, one for each time a source is read, in the order of the plan; compared with the checkpoint's.",
            form = Form.PLAIN)
        List<String> sources,
    @Key("The options that the new query gives its sources and its sink.")
        Optional<OptionsPlan> options) {}
