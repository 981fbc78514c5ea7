package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.storage.Location;

/** What a template is filled with: every match of a glob, or every row of a CSV file. */
public record ForeachPlan(
    @Key(
            "A pattern of paths, with * and ?. ${path} is the match, ${name} its last part, ${below} what follows the part without wildcards.")
        Optional<String> glob,
    @Key("A CSV file with a header row. Its columns are the names.") Optional<Location> csv) {}
