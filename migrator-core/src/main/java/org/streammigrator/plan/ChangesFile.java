package org.streammigrator.plan;

import java.util.List;

/** A file of changes, as the check command reads it. */
public record ChangesFile(
    @Key(value = "The changes of the query.", required = true) List<ChangePlan> changes) {}
