package org.streammigrator.cli;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.SourceKind;
import picocli.CommandLine.Option;

/** The option {@code --source ID=KIND}: what a log cannot tell. */
final class SourceKinds {
  @Option(
      names = "--source",
      paramLabel = "ID=KIND",
      description =
          "What kind of source ID is, where the log cannot tell: delta, kafka, eventhubs, files,"
              + " autoloader, iceberg, kinesis, hudi, paimon, pulsar, rate, socket, delta-sharing,"
              + " mongodb, pubsub, pubsub-lite, rate-micro-batch or memory. Repeatable.")
  private Map<String, String> kinds = new LinkedHashMap<>();

  Map<String, SourceKind> told() {
    Map<String, SourceKind> told = new LinkedHashMap<>();
    kinds.forEach(
        (id, label) ->
            told.put(
                id,
                SourceKind.ofLabel(label)
                    .filter(SourceKind::tellable)
                    .orElseThrow(
                        () ->
                            new CliFailure(
                                ExitCode.USAGE,
                                "--source "
                                    + id
                                    + "="
                                    + label
                                    + ": there is no kind '"
                                    + label
                                    + "'; the kinds are "
                                    + known()))));
    return told;
  }

  private static String known() {
    return Arrays.stream(SourceKind.values())
        .filter(SourceKind::tellable)
        .map(SourceKind::label)
        .collect(Collectors.joining(", "));
  }

  /** Refuses ids of sources that a checkpoint with readable plans does not have. */
  static void requireSources(Checkpoint checkpoint, String option, Iterable<String> ids) {
    List<String> there =
        checkpoint
            .plannedOffsets()
            .or(checkpoint::committedOffsets)
            .map(log -> log.sources().stream().map(OffsetLog.SourceLine::id).toList())
            .orElse(List.of());
    for (String id : ids) {
      if (!there.isEmpty() && !there.contains(id)) {
        throw new CliFailure(
            ExitCode.USAGE,
            option
                + " "
                + id
                + "=...: the checkpoint has no source '"
                + id
                + "'; it has "
                + String.join(", ", there));
      }
    }
  }

  Iterable<String> ids() {
    return kinds.keySet();
  }
}
