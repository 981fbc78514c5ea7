package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** How the new query is told its checkpoint and started. */
public record CutoverPlan(
    @Key("The workspace, by its name in this plan.") Optional<String> workspace,
    @Key(value = "The job's id.", form = Form.ANY_SCALAR) Optional<String> id,
    @Key("The job's name, instead of its id; no other job of the workspace may have it.")
        Optional<String> name,
    @Key("The job parameter that is set to the new checkpoint.") Optional<String> parameter,
    @Key("The key of the task that taskParameter, environment or sparkConf belongs to.")
        Optional<String> task,
    @Key("The named parameter of the task that is set to the new checkpoint.")
        Optional<String> taskParameter,
    @Key("The environment variable of the cluster that is set to the new checkpoint.")
        Optional<String> environment,
    @Key("The setting of Spark of the cluster that is set to the new checkpoint.")
        Optional<String> sparkConf,
    @Key("How the job spells the new checkpoint; checkpoint.to when left out.")
        Optional<String> value,
    @Key(value = "Whether the job is started.", defaultsTo = "false") boolean start,
    @Key("How long the new query is watched before the stream is done.") WatchPlan watch,
    @Key(
            value =
                "The command that starts it: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command) {}
