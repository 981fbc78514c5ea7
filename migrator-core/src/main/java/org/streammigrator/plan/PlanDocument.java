package org.streammigrator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.storage.Location;

/** The plan file as it stands, before defaults are merged into streams. */
record PlanDocument(
    @Key(value = "The version of this format: 1.", required = true) int version,
    @Key(value = "The plan's name.", required = true) String name,
    @Key("Where the journal is kept; beside the plan file when left out.")
        Optional<Location> journal,
    @Key("How the streams are run.") RunPlan run,
    @Key(
            value = "Merged into every stream: maps deeply, other values of the stream win.",
            tree = StreamPlan.class)
        Optional<YamlNode> defaults,
    @Key("Databricks workspaces by name.") Map<String, WorkspacePlan> workspaces,
    @Key("Hadoop settings by location prefix.") Map<String, Map<String, SecretText>> storage,
    @Key(value = "The streams to migrate.", required = true, tree = StreamPlan.class)
        List<YamlNode> streams) {}
