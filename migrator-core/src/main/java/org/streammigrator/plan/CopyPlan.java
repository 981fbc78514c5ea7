package org.streammigrator.plan;

import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** How hard a copy may work. */
public record CopyPlan(
    @Key(value = "How many files are copied at a time; by the place if left out.", min = 1)
        Optional<Long> threads,
    @Key(value = "How many files are opened and written a second at most.", min = 1)
        Optional<Long> requestsPerSecond,
    @Key(
            value = "How many bytes are read a second at most, such as 50MiB.",
            form = Form.SIZE,
            min = 1)
        Optional<Long> bandwidth,
    @Key(value = "What proves that a copied file is right.", defaultsTo = "checksum")
        CopyVerify verify) {}
