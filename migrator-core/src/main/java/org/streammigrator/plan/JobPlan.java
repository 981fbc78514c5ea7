package org.streammigrator.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** The job that runs the old query. */
public record JobPlan(
    @Key("The workspace, by its name in this plan.") Optional<String> workspace,
    @Key(value = "The job's id.", form = Form.ANY_SCALAR) Optional<String> id,
    @Key("The job's name, instead of its id; no other job of the workspace may have it.")
        Optional<String> name,
    @Key("How its run is stopped; left out: it must have been stopped already.")
        Optional<JobStop> stop,
    @Key(
            value =
                "The command that stops it: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command,
    @Key(
            value =
                "How long no run may be active and nothing may be written to the old checkpoint before the query is taken for stopped.",
            defaultsTo = "10s")
        Duration settle,
    @Key(value = "How long apply waits for the end of a run.", defaultsTo = "10m") Duration timeout,
    @Key(value = "What the job's max_concurrent_runs is set to while it is stopped.", min = 1)
        Optional<Long> maxConcurrentRuns) {}
