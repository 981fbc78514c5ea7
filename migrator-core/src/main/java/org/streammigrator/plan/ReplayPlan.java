package org.streammigrator.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/** How state is rebuilt from the sources. */
public record ReplayPlan(
    @Key(value = "The event time to replay from, or auto.", form = Form.OR_AUTO)
        Optional<Instant> from,
    @Key(
            "How far event times may be ahead of the times of their records or files, for sources that are searched by those.")
        Optional<Duration> skew,
    @Key("Where the rows of the replayed batch go.") Optional<ReplaySink> sink,
    @Key("The scratch sink's place.") Optional<Location> scratch,
    @Key(value = "How many batches the replay is cut into.", defaultsTo = "1", min = 1) int slices,
    @Key(value = "The most records that may be read again.", min = 1) Optional<Long> mostRecords,
    @Key(value = "The most bytes of files that may be read again.", min = 1)
        Optional<Long> mostBytes) {}
