package org.streammigrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

/** The help that is written down is the one that the commands give. */
class ProgramHelpTest {
  private static final Path FILE = Path.of("src/main/resources/org/streammigrator/cli/help.txt");

  private static final Session SESSION =
      new Session(
          CliContext.ofProcess(),
          new PrintStream(new ByteArrayOutputStream()),
          new PrintStream(new ByteArrayOutputStream()));

  @Test
  void isCurrent() throws IOException {
    String made = Cli.commandLine(SESSION).getUsageMessage(Ansi.OFF);
    if (Boolean.getBoolean("help.write")) {
      Files.writeString(FILE, made);
    }
    assertThat(FILE)
        .as("made by: mvn test -pl migrator-core -Dtest=ProgramHelpTest -Dhelp.write=true")
        .hasContent(made);
  }

  @Test
  void isPrinted() throws IOException {
    for (String option : List.of("--help", "-h")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      int exit =
          Cli.run(
              List.of(option),
              new PrintStream(out, true, StandardCharsets.UTF_8),
              SESSION.err(),
              SESSION.context());
      assertThat(exit).isZero();
      assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo(Files.readString(FILE));
    }
  }
}
