package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.PrintStream;
import org.streammigrator.storage.Location;

/**
 * One run of the program: results go to {@code out}, everything else to {@code err}.
 *
 * @param context what the commands take from outside
 */
record Session(CliContext context, PrintStream out, PrintStream err) {
  Session {
    requireNonNull(context, "context");
    requireNonNull(out, "out");
    requireNonNull(err, "err");
  }

  /** A location from the command line. */
  Location location(String text) {
    try {
      Location location = Location.parse(text, context.directory());
      if (!location.isLocal()) {
        throw new CliFailure(
            ExitCode.USAGE,
            location
                + " is not on a local path; this version reads and writes local paths only. Copy it"
                + " to a local path first");
      }
      return location;
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(ExitCode.USAGE, invalid.getMessage(), invalid);
    }
  }
}
