package org.streammigrator.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.streammigrator.copy.ToolVersion;
import org.streammigrator.plan.StorageFile;
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
    version = "migrator " + Cli.VERSION,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Exit codes: 0 done, 1 unexpected error, 2 usage or invalid plan, 3 refused by",
      "a finding, 4 a saved plan is stale, 5 stopped part-way (run it again), 6 verification",
      "failed, 7 waiting for something outside, 10 plan --detailed-exitcode: something to do,",
      "130 interrupted. 'migrator COMMAND --help' explains a command."
    })
public final class Cli implements Runnable {
  /** This program's version. */
  public static final String VERSION = ToolVersion.CURRENT;

  /** Log4j's own setting, of use where no configuration of it is on the class path. */
  private static final String LOG_LEVEL = "org.apache.logging.log4j.level";

  private static final Output OUTPUT = new Output(new FileOutputStream(FileDescriptor.out));

  /** The commands in the order of the help. They are made only when they can be meant. */
  private static final Map<String, Function<Session, Object>> COMMANDS = commands();

  @CommandLine.Spec private CommandSpec spec;

  @Option(
      names = "--debug",
      scope = ScopeType.INHERIT,
      description = "Print stack traces of errors.")
  private boolean debug;

  @Option(
      names = "--storage",
      paramLabel = "FILE",
      scope = ScopeType.INHERIT,
      description =
          "YAML file of the settings that reach object stores and volumes, written as `storage` of"
              + " a plan.")
  private String storage;

  private Cli() {}

  /** Runs the program and ends the process with its exit code. */
  public static void main(String[] args) {
    // Libraries log what is answered anyway, and would do so on standard output.
    if (System.getProperty(LOG_LEVEL) == null) {
      System.setProperty(LOG_LEVEL, "OFF");
    }
    // Libraries format file names by the default locale: Delta Kernel finds no commit in Arabic.
    Locale.setDefault(Locale.ROOT);
    PrintStream out = new PrintStream(OUTPUT, true, StandardCharsets.UTF_8);
    PrintStream err =
        new PrintStream(new FileOutputStream(FileDescriptor.err), true, StandardCharsets.UTF_8);
    int code = run(List.of(args), out, err, CliContext.ofProcess());
    out.flush();
    boolean lost = out.checkError() && !OUTPUT.brokenPipe;
    if (lost) {
      err.println("migrator: the result could not be written: " + OUTPUT.failure);
    }
    err.flush();
    System.exit(lost && code == ExitCode.DONE ? ExitCode.UNEXPECTED : code);
  }

  /** Standard output that remembers how it failed: a {@link PrintStream} keeps that to itself. */
  private static final class Output extends FilterOutputStream {
    private String failure = "";
    private boolean brokenPipe;

    private Output(OutputStream out) {
      super(out);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        out.write(bytes, offset, length);
      } catch (IOException failed) {
        failure = failed.getMessage();
        // Whoever reads only the head of an output has what they wanted.
        brokenPipe = failure != null && failure.contains("Broken pipe");
        throw failed;
      }
    }
  }

  /**
   * Runs one command.
   *
   * @param out where results go
   * @param err where everything else goes
   * @return a code of {@link ExitCode}
   */
  public static int run(List<String> args, PrintStream out, PrintStream err, CliContext context) {
    if (args.equals(List.of("--help")) || args.equals(List.of("-h"))) {
      out.print(ProgramHelp.text());
      return ExitCode.DONE;
    }
    Session session = new Session(context, out, err);
    Cli root = new Cli();
    CommandLine commands = commandLine(root, session, meant(args));
    commands.setOut(new PrintWriter(out, true, StandardCharsets.UTF_8));
    commands.setErr(new PrintWriter(err, true, StandardCharsets.UTF_8));
    commands.setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF));
    commands.setCaseInsensitiveEnumValuesAllowed(true);
    commands.setParameterExceptionHandler(new WrongUsage(err));
    commands.setExecutionExceptionHandler(new Failed(root, err));
    commands.setExecutionStrategy(new WithStorage(root, session));
    return commands.execute(args.toArray(String[]::new));
  }

  /** Answers a command line that cannot be understood. */
  private record WrongUsage(PrintStream err) implements CommandLine.IParameterExceptionHandler {
    @Override
    public int handleParseException(CommandLine.ParameterException failure, String[] arguments) {
      CommandLine command = failure.getCommandLine();
      err.println("migrator: " + message(failure));
      if (!CommandLine.UnmatchedArgumentException.printSuggestions(failure, command.getErr())) {
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
      }
      return ExitCode.USAGE;
    }

    private static String message(CommandLine.ParameterException failure) {
      if (failure instanceof CommandLine.UnmatchedArgumentException unmatched
          && failure.getCommandLine().getParent() == null
          && !unmatched.getUnmatched().get(0).startsWith("-")) {
        return "there is no command " + unmatched.getUnmatched().get(0);
      }
      return failure.getMessage().replaceFirst(" is not an? (long|int)$", " is no whole number");
    }
  }

  /** Reads the file of {@code --storage} before the command looks at any place. */
  private record WithStorage(Cli root, Session session) implements CommandLine.IExecutionStrategy {
    @Override
    public int execute(CommandLine.ParseResult parsed) {
      if (root.storage != null) {
        try {
          StorageFile file = StorageOption.read(session.context(), root.storage);
          session.useStorage(StorageOption.settings(file.storage(), file.workspaces()));
          session.useWorkspaces(file.workspaces());
        } catch (CliFailure unusable) {
          throw new CommandLine.ExecutionException(
              parsed.commandSpec().commandLine(), unusable.getMessage(), unusable);
        }
      }
      return new CommandLine.RunLast().execute(parsed);
    }
  }

  /** Answers a command that ended with an exception. */
  private record Failed(Cli root, PrintStream err)
      implements CommandLine.IExecutionExceptionHandler {
    @Override
    public int handleExecutionException(
        Exception failure, CommandLine command, CommandLine.ParseResult parsed) {
      if (root.debug) {
        failure.printStackTrace(err);
      }
      if (failure instanceof CliFailure clear) {
        err.println("migrator: " + clear.getMessage());
        return clear.exitCode();
      }
      int code = Failures.exitCode(failure);
      String text = Failures.describe(failure);
      boolean silent = code == ExitCode.STOPPED && !text.contains("again");
      err.println("migrator: " + text + (silent ? "; run it again" : ""));
      return code;
    }
  }

  private static Map<String, Function<Session, Object>> commands() {
    Map<String, Function<Session, Object>> commands = new LinkedHashMap<>();
    commands.put("demo", DemoCommand::new);
    commands.put("inspect", InspectCommand::new);
    commands.put("resume", ResumeCommand::new);
    commands.put("discover", DiscoverCommand::new);
    commands.put("check", CheckCommand::new);
    commands.put("validate", ValidateCommand::new);
    commands.put("plan", PlanCommand::new);
    commands.put("apply", ApplyCommand::new);
    commands.put("rehearse", RehearseCommand::new);
    commands.put("show", ShowCommand::new);
    commands.put("status", StatusCommand::new);
    commands.put("rollback", RollbackCommand::new);
    commands.put("reset", ResetCommand::new);
    commands.put("prove", ProveCommand::new);
    commands.put("archive", ArchiveCommand::new);
    commands.put("restore", RestoreCommand::new);
    commands.put("verify", VerifyCommand::new);
    commands.put("release", ReleaseCommand::new);
    commands.put("job", JobCommand::of);
    return Collections.unmodifiableMap(commands);
  }

  /** The whole command line with all of its commands, for those who ask what there is. */
  static CommandLine commandLine(Session session) {
    return commandLine(new Cli(), session, COMMANDS.keySet());
  }

  private static CommandLine commandLine(Cli root, Session session, Set<String> names) {
    CommandLine commands = new CommandLine(root);
    COMMANDS.forEach(
        (name, command) -> {
          if (names.contains(name)) {
            commands.addSubcommand(name, command.apply(session));
          }
        });
    return commands;
  }

  /** The command that is named first, or all: looking at one takes a tenth of the whole start. */
  private static Set<String> meant(List<String> args) {
    return args.stream()
        .filter(argument -> !argument.startsWith("-"))
        .findFirst()
        .filter(COMMANDS::containsKey)
        .map(Set::of)
        .orElse(COMMANDS.keySet());
  }

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "a command is missing; migrator --help lists them");
  }
}
