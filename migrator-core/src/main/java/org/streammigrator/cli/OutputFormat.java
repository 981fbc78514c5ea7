package org.streammigrator.cli;

import picocli.CommandLine.Option;

/** The option {@code -o}, the same for every command. */
final class OutputFormat {
  /** The forms of output. */
  enum Form {
    text,
    json
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "text|json",
      defaultValue = "text",
      description = "Form of the output: text or json (default: text).")
  private Form form;

  boolean json() {
    return form == Form.json;
  }
}
