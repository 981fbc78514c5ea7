package org.streammigrator.cli;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.streammigrator.finding.FindingCode;
import picocli.CommandLine.Option;

/** The options that choose streams and accept findings. */
final class Acceptance {
  @Option(
      names = "--accept",
      paramLabel = "CODE",
      description = "A finding to take knowingly, as `accept` in the plan; may be repeated.")
  private List<String> codes = new ArrayList<>();

  @Option(
      names = "--stream",
      paramLabel = "GLOB",
      description = "Only the streams whose name matches.")
  private String stream;

  Set<FindingCode> accepted() {
    Set<FindingCode> accepted = EnumSet.noneOf(FindingCode.class);
    for (String code : codes) {
      try {
        accepted.add(FindingCode.valueOf(code));
      } catch (IllegalArgumentException unknown) {
        throw new CliFailure(
            ExitCode.USAGE, "--accept " + code + ": there is no finding of that code", unknown);
      }
    }
    return accepted;
  }

  java.util.Optional<String> streams() {
    return java.util.Optional.ofNullable(stream);
  }
}
