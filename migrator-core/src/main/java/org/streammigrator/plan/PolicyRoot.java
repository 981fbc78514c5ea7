package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.storage.Location;

/** A directory that is searched for checkpoints. */
@Shorthand("path")
public record PolicyRoot(
    @Key(value = "The directory.", required = true) Location path,
    @Key(
            "Whose checkpoints these are; the first part of a checkpoint's path below the root if left out, or the root's name if it lies directly there.")
        Optional<String> team) {}
