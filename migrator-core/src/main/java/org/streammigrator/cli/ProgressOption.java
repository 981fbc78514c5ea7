package org.streammigrator.cli;

import java.util.function.Consumer;
import org.streammigrator.report.Progress;
import org.streammigrator.report.ProgressDisplay;
import org.streammigrator.report.ProgressForm;
import picocli.CommandLine.Option;

/** The option {@code --no-progress} of the commands that take long. */
final class ProgressOption {
  @Option(
      names = {"--no-progress", "--quiet"},
      description = "Do not show how far it is.")
  private boolean off;

  /** Whether nothing is to be shown. */
  boolean isOff() {
    return off;
  }

  /** How progress is shown on stderr: a bar on a terminal, lines otherwise. */
  ProgressDisplay display(Session session) {
    if (off) {
      return new ProgressDisplay(ProgressForm.SILENT);
    }
    Terminal terminal = session.context().terminal();
    return new ProgressDisplay(
        terminal.lively()
            ? new ProgressForm.Bar(session.err(), terminal.width())
            : new ProgressForm.Lines(line -> session.err().println("migrator: " + line)));
  }

  /** How it is shown where several things are done at a time: lines that say which. */
  ProgressDisplay display(Session session, String of) {
    return new ProgressDisplay(
        off ? ProgressForm.SILENT : new ProgressForm.Lines(lines(session, of + ": ")));
  }

  /**
   * Progress in words on stderr.
   *
   * @param prefix what each line begins with
   */
  Consumer<String> lines(Session session, String prefix) {
    return off ? line -> {} : line -> session.err().println("migrator: " + prefix + line);
  }

  /** Progress as events, for whom the output is JSON. */
  ProgressDisplay events(Consumer<Progress> out) {
    return new ProgressDisplay(off ? ProgressForm.SILENT : new ProgressForm.Events(out));
  }
}
