package org.streammigrator.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.streammigrator.copy.ToolVersion;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The command line's entry. */
@Command(
    name = "migrator",
    description = "Moves Spark Structured Streaming queries to new checkpoints, exactly.",
    mixinStandardHelpOptions = true,
    version = "migrator " + ToolVersion.CURRENT,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 unexpected error, 2 usage or invalid plan, 3 refused by a finding,",
      "4 the world changed since the plan, 5 stopped part-way (rerun resumes), 6 verification failed."
    })
public final class Cli implements Runnable {
