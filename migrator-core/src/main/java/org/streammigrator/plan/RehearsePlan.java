package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/** How the new query is started against a scratch copy. */
public record RehearsePlan(
    @Key(
            value = "The command: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command,
    @Key("Where the scratch copy goes.") Optional<Location> scratch) {}
