package org.streammigrator.plan;

import java.util.Map;

/**
 * A file of storage settings, for commands that read no plan; its keys are those of a plan.
 *
 * @param workspaces Databricks workspaces by name
 * @param storage settings by the location prefix they hold for, both as written
 */
public record StorageFile(
    @Key("Databricks workspaces by name.") Map<String, WorkspacePlan> workspaces,
    @Key(value = "Hadoop settings by location prefix.", required = true)
        Map<String, Map<String, SecretText>> storage) {}
