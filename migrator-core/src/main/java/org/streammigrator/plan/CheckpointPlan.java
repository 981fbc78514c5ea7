package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.storage.Location;

/** The old and the new place of a checkpoint. */
public record CheckpointPlan(
    @Key(
            value = "The checkpoint as it is now. It is never written and never deleted.",
            required = true)
        Location from,
    @Key(
            "Where the new checkpoint goes: a place that does not exist or is empty. May be left out for start-options alone.")
        Optional<Location> to) {}
