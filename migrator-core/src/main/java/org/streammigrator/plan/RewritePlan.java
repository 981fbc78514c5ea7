package org.streammigrator.plan;

import org.streammigrator.storage.Location;

/**
 * A place that moved with all that is below it. Names stand as they are in the file system: a blank
 * is a blank, not {@code %20}.
 */
public record RewritePlan(
    @Key(value = "The place where it was.", required = true) Location from,
    @Key(
            value = "The place where it is now; the same as from where it did not move.",
            required = true)
        Location to) {}
