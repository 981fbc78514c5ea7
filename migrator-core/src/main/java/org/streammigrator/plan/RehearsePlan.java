package org.streammigrator.plan;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;
import org.streammigrator.storage.Location;

/** How the new query is started against a scratch copy. */
public record RehearsePlan(
    @Key(
            value = "The command: a text for the shell, or a program with its arguments.",
            form = Form.ONE_OR_LIST)
        List<String> command,
    @Key("Below which place the scratch copy goes; a fresh local directory when left out.")
        Optional<Location> scratch,
    @Key(
            value = "How many batches the new query has to commit before it is ended.",
            defaultsTo = "1",
            min = 1)
        int batches,
    @Key(value = "How long it may take for them.", defaultsTo = "10m") Duration timeout) {
  /** Of a plan that says nothing of it. */
  public static final RehearsePlan NONE =
      new RehearsePlan(List.of(), Optional.empty(), 1, Duration.ofMinutes(10));
}
