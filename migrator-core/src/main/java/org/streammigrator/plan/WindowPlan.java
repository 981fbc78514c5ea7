package org.streammigrator.plan;

import java.time.Duration;
import java.util.Optional;

/** The windows that a result is grouped by. */
public record WindowPlan(
    @Key(value = "The column that holds the window's start.", required = true) String column,
    @Key(value = "The window's size.", required = true) Duration size,
    @Key("The window's slide; its size when left out.") Optional<Duration> slide,
    @Key("By how much the windows are moved from 1970-01-01T00:00:00Z; not at all if left out.")
        Optional<Duration> start,
    @Key("The watermark's delay.") Optional<Duration> delay) {}
