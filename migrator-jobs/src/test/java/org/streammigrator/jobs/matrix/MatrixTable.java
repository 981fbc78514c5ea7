package org.streammigrator.jobs.matrix;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** What came of each combination, a line of Markdown each. */
final class MatrixTable {
  private final Path file;

  /**
   * @param file gets the lines; null for none
   */
  MatrixTable(Path file) throws IOException {
    this.file = file;
    if (file != null && !Files.exists(file)) {
      line("| source | operator | store | strategy | pending batch | outcome |");
      line("|---|---|---|---|---|---|");
    }
  }

  void add(Combination combination, Migration.Outcome outcome) {
    String text =
        outcome.isRefused()
            ? "refused: " + String.join(", ", outcome.refusals())
            : (outcome.differences().isEmpty()
                    ? "same rows"
                    : combination.mayCountLateRows() ? "late rows count" : "OTHER ROWS")
                + ", said to be "
                + outcome.label();
    row(combination, text);
  }

  void failed(Combination combination, Throwable failure) {
    String text = String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    row(combination, "FAILED: " + failure.getClass().getSimpleName() + " " + text);
  }

  private void row(Combination combination, String outcome) {
    line(
        "| %s | %s | %s | %s | %s | %s |"
            .formatted(
                combination.source(),
                combination.operator(),
                combination.store(),
                combination.strategy(),
                combination.pending(),
                outcome.replace("|", "\\|")));
  }

  private void line(String text) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(file, text + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
