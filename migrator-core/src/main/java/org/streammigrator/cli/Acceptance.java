package org.streammigrator.cli;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Acceptable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that choose streams and accept findings. */
final class Acceptance {
  @Mixin private Codes codes;

  @Option(
      names = "--stream",
      paramLabel = "GLOB",
      description = "Only the streams whose name matches.")
  private String stream;

  /** The option that accepts findings. */
  static final class Codes {
    @Option(
        names = "--accept",
        paramLabel = "CODE",
        description = "A finding to take knowingly, as `accept` in the plan; may be repeated.")
    private List<String> codes = new ArrayList<>();

    /** The codes, each of which stands for something that a migration may go on with. */
    Set<FindingCode> accepted() {
      Set<FindingCode> accepted = taken();
      for (FindingCode code : accepted) {
        if (!Acceptable.isAcceptable(code)) {
          throw new CliFailure(
              ExitCode.USAGE,
              "--accept " + code + ": this finding cannot be accepted; do what it says instead");
        }
      }
      return accepted;
    }

    /** The codes, of whatever finding. */
    Set<FindingCode> taken() {
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
  }

  Set<FindingCode> accepted() {
    return codes.accepted();
  }

  Set<FindingCode> taken() {
    return codes.taken();
  }

  Optional<String> streams() {
    return Optional.ofNullable(stream);
  }
}
