package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** The job that runs the old query. */
public record JobPlan(
    @Key("The workspace, by its name in this plan.") Optional<String> workspace,
    @Key(value = "The job's id.", form = Form.ANY_SCALAR) Optional<String> id,
    @Key("How its run is stopped; left out: it must have been stopped already.")
        Optional<JobStop> stop,
    @Key(
            value =
                "The command that stops it: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command) {}
