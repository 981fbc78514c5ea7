package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.storage.Location;

/** What a template is filled with: every match of a glob, or every row of a CSV file. */
public record ForeachPlan(
    @Key("A pattern of paths. ${path} is the match and ${name} its last part.")
        Optional<String> glob,
    @Key("A CSV file. Its columns are the names.") Optional<Location> csv) {}
