package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.storage.Location;

/** A class that computes the rows of a backfill. */
@Shorthand("className")
public record TransformPlan(
    @Key(value = "The class, which implements BackfillTransform.", required = true)
        String className,
    @Key("The jar that holds it; the jobs' class path when left out.") Optional<Location> jar) {}
