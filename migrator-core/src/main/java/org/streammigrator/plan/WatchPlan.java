package org.streammigrator.plan;

import java.time.Duration;
import java.util.Optional;

/** How long a new query is watched before its stream is done. */
public record WatchPlan(
    @Key(value = "How many batches the new query has to commit.", defaultsTo = "1", min = 1)
        int batches,
    @Key("How long it has to run, at least.") Optional<Duration> time,
    @Key(
            value = "How long apply waits for that before it ends with exit code 7.",
            defaultsTo = "30m")
        Duration timeout,
    @Key(value = "What is done when the new query fails.", defaultsTo = "stop")
        WatchFailure onFailure) {}
