package org.streammigrator.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A stateful operator of the new query. */
public record OperatorPlan(
    @Key(value = "What it is.", required = true) OperatorKind kind,
    @Key("The window's size.") Optional<Duration> size,
    @Key("The window's slide; its size when left out.") Optional<Duration> slide,
    @Key("The watermark's delay.") Optional<Duration> delay,
    @Key("The session's gap.") Optional<Duration> gap,
    @Key(value = "Whether the session's gap depends on the row.", defaultsTo = "false")
        boolean dynamicGap,
    @Key(value = "The key columns.", form = Form.ONE_OR_LIST) List<String> keys,
    @Key("The event-time column.") Optional<String> eventTime,
    @Key("How far before its own event time a row can still meet a match, for joins.")
        Optional<Duration> before,
    @Key("How far after its own event time a row can still meet a match, for joins.")
        Optional<Duration> after,
    @Key("How far back from the watermark its state reaches, for arbitrary operators.")
        Optional<Duration> lookback,
    @Key(
            "Whether its result is independent of batch bounds and of the order of rows, for arbitrary operators.")
        Optional<Boolean> independent) {}
