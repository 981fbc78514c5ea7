package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;

/** What a checkpoint does not record of the new query. */
public record QueryPlan(
    @Key("The output mode.") Optional<OutputMode> outputMode,
    @Key("The stateful operators, from the source to the sink.") List<OperatorPlan> operators,
    @Key("Whether the query gives the same rows for the same input.")
        Optional<Boolean> deterministic,
    @Key("Whether the query groups or filters by the processing time.")
        Optional<Boolean> processingTime) {}
