package org.streammigrator.plan;

import java.util.Optional;

/** What is checked in the sink. */
public record ChecksPlan(
    @Key("Whether two rows of one key are a failure.") Optional<CheckLevel> duplicates,
    @Key("Whether a row count other than the source's is a failure.") Optional<CheckLevel> counts,
    @Key("The query as batch SQL over views named like the sources.") Optional<String> sql,
    @Key("The windows of the result.") Optional<WindowPlan> window) {}
