package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** How the new query is told its checkpoint and started. */
public record CutoverPlan(
    @Key("The workspace, by its name in this plan.") Optional<String> workspace,
    @Key(value = "The job's id.", form = Form.ANY_SCALAR) Optional<String> id,
    @Key("The job parameter that is set to the new checkpoint.") Optional<String> parameter,
    @Key(value = "Whether the job is started.", defaultsTo = "false") boolean start,
    @Key(
            value =
                "The command that starts it: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command) {}
