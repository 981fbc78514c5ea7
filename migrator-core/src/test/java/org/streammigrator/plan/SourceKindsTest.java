package org.streammigrator.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A plan's kinds of source are those of checkpoints, by the same names. */
class SourceKindsTest {
  /** Sources that nobody has in production, and what is no kind. */
  private static final Set<String> NOT_IN_PLANS =
      Set.of("rate-micro-batch", "socket", "memory", "none", "unknown");

  @Test
  void everyKindOfACheckpointCanBeInAPlan() {
    Set<String> plan =
        Arrays.stream(SourceKind.values()).map(SourceKind::label).collect(Collectors.toSet());
    Set<String> checkpoint =
        Arrays.stream(org.streammigrator.checkpoint.source.SourceKind.values())
            .map(org.streammigrator.checkpoint.source.SourceKind::label)
            .collect(Collectors.toSet());
    checkpoint.removeAll(NOT_IN_PLANS);
    checkpoint.add("custom");
    assertThat(plan).isEqualTo(checkpoint);
  }
}
