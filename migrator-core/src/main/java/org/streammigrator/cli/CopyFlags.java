package org.streammigrator.cli;

import org.streammigrator.copy.CopyOptions;
import org.streammigrator.finding.SizeText;
import org.streammigrator.plan.CopyPlan;
import org.streammigrator.plan.CopyVerify;
import picocli.CommandLine.Option;

/** The options that say how hard a copy may work; they come before what the plan says. */
final class CopyFlags {
  private static final long MOST_THREADS = 1000;

  @Option(
      names = "--threads",
      paramLabel = "N",
      description = "How many files are copied at a time.")
  private Long threads;

  @Option(
      names = "--bandwidth",
      paramLabel = "SIZE",
      description = "How many bytes are read a second at most, such as 50MiB.")
  private String bandwidth;

  @Option(
      names = "--requests-per-second",
      paramLabel = "N",
      description = "How many files are opened and written a second at most.")
  private Long requests;

  @Option(
      names = "--verify",
      paramLabel = "HOW",
      description =
          "checksum trusts a store that compared one and reads the rest back; read reads all back.")
  private String verify;

  /** The options for a copy. */
  CopyOptions over(CopyPlan plan) {
    CopyOptions options = CopyOptions.DEFAULT;
    Long count = threads != null ? atLeastOne("--threads", threads) : plan.threads().orElse(null);
    if (count != null) {
      options = options.withThreads((int) Math.min(count, MOST_THREADS));
    }
    Long rate =
        requests != null
            ? atLeastOne("--requests-per-second", requests)
            : plan.requestsPerSecond().orElse(null);
    if (rate != null) {
      options = options.withRequestsPerSecond(rate);
    }
    Long most = bandwidth != null ? size() : plan.bandwidth().orElse(null);
    if (most != null) {
      options = options.withBandwidth(most);
    }
    return options.verifiedBy(
        proof() == CopyVerify.READ || proof() == null && plan.verify() == CopyVerify.READ
            ? CopyOptions.Verify.READ
            : CopyOptions.Verify.CHECKSUM);
  }

  private CopyVerify proof() {
    if (verify == null) {
      return null;
    }
    return switch (verify) {
      case "checksum" -> CopyVerify.CHECKSUM;
      case "read" -> CopyVerify.READ;
      default ->
          throw new CliFailure(
              ExitCode.USAGE, "--verify " + verify + ": it is one of checksum, read");
    };
  }

  private Long size() {
    return SizeText.parse(bandwidth)
        .orElseThrow(
            () ->
                new CliFailure(
                    ExitCode.USAGE,
                    "--bandwidth " + bandwidth + ": give a size above 0, such as 500KiB or 50MiB"));
  }

  private static Long atLeastOne(String option, Long value) {
    if (value < 1) {
      throw new CliFailure(ExitCode.USAGE, option + " " + value + ": it must be 1 or more");
    }
    return value;
  }
}
