package org.streammigrator.plan;

/** How the streams of a plan are run. */
public record RunPlan(
    @Key(value = "How many streams are worked on at a time.", defaultsTo = "4", min = 1)
        int parallelism,
    @Key(value = "What the other streams do when one fails.", defaultsTo = "continue")
        OnFailure onFailure,
    @Key("How checkpoints are copied.") CopyPlan copy) {}
