package org.streammigrator.plan;

/** A prefix of paths that moved. It matches at path boundaries. */
public record RewritePlan(
    @Key(value = "The old prefix.", required = true) String from,
    @Key(value = "The new prefix.", required = true) String to) {}
