package org.streammigrator.plan;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** How windows are recomputed. */
public record BackfillPlan(
    @Key("The query as batch SQL over views named like the sources.") Optional<SqlText> sql,
    @Key("A class that computes the rows instead of sql.") Optional<TransformPlan> transform,
    @Key("The windows of the result.") Optional<WindowPlan> window,
    @Key(
            value = "The start of the first window that the stream owns, or auto.",
            form = Form.OR_AUTO)
        Optional<Instant> cut,
    @Key(value = "How rows are written.", defaultsTo = "upsert") BackfillMode mode,
    @Key(value = "Whether columns that the table lacks are added to it.", defaultsTo = "false")
        boolean evolve,
    @Key("Starts of windows beyond the cut that the job owns nevertheless.")
        List<Instant> windows) {}
