package org.streammigrator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.storage.Location;

/**
 * A plan file, complete and free of contradictions. Made by {@link PlanReader}.
 *
 * @param name the plan's name
 * @param journal where the journal is kept; beside the plan file when empty
 * @param run how the streams are run
 * @param workspaces Databricks workspaces by name
 * @param storage Hadoop settings by the location prefix they hold for, both as written
 * @param streams the streams, in the order of the file
 * @param templates the streams that stand for many, see {@link TemplateExpansion}
 */
public record Plan(
    String name,
    Optional<Location> journal,
    RunPlan run,
    Map<String, WorkspacePlan> workspaces,
    Map<String, Map<String, SecretText>> storage,
    List<StreamPlan> streams,
    List<StreamTemplate> templates) {}
