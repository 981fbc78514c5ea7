package org.streammigrator.plan;

import java.util.Map;
import java.util.Optional;
import org.streammigrator.storage.Location;

/** How a position is carried over to another table or cluster. */
public record TranslatePlan(
    @Key(value = "The new table, path or brokers.", required = true) String to,
    @Key(value = "What the position is carried over by.", required = true) TranslateBy by,
    @Key("The file that holds the mapping.") Optional<Location> mapping,
    @Key("New topic names, by their old ones.") Map<String, String> topics) {}
