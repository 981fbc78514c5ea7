package org.streammigrator.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.streammigrator.finding.FindingCode;
import picocli.CommandLine;

/** What the pages say about links, commands and findings is so. */
class DocumentationTest {
  private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
  private static final Pattern LINK = Pattern.compile("\\[[^\\]]*\\]\\(([^)\\s]+)\\)");
  private static final Pattern IMAGE = Pattern.compile("(?:src|srcset)=\"([^\"]+)\"");
  private static final Pattern COMMAND =
      Pattern.compile("(?:^|[\\s`(/])migrator ([a-z][a-z-]*)([^`|;&]*)");
  private static final Pattern LONG_OPTION = Pattern.compile("(?<=^|\\s)--[a-z][a-z-]*");
  private static final Pattern CODE = Pattern.compile("`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)`");

  /** Names in capitals that are not findings. */
  private static final Set<String> OF_OTHERS =
      Set.of(
          "HADOOP_CONF_DIR",
          "MAXIMUM_CONCURRENT_RUNS_REACHED",
          "INTERNAL_ERROR",
          "SINGLE_USER",
          "STDS_FAILED_TO_READ_OPERATOR_METADATA",
          "STATE_STORE_COMMIT_VALIDATION_FAILED",
          "AWS_ACCESS_KEY_ID",
          "DATABRICKS_HOST",
          "DATABRICKS_TOKEN",
          "DATABRICKS_CLIENT_ID",
          "DATABRICKS_CLIENT_SECRET",
          "DATABRICKS_CONFIG_PROFILE",
          "MIGRATOR_CLASSPATH",
          "SPARK_HOME",
          "DATABRICKS_RUN_ID",
          "DATABRICKS_JOB_ID",
          "MIGRATOR_JOB_ID",
          "MIGRATOR_CHECKPOINT",
          "MIGRATOR_SINK",
          "MIGRATOR_SINK_0",
          "MIGRATOR_SINK_1",
          "MIGRATOR_SCRATCH",
          "MIGRATOR_STREAM",
          "MIGRATOR_BATCHES",
          "INVALID_LOG_VERSION",
          "NOT_EXPRESSIBLE");

  static Stream<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>(List.of(ROOT.resolve("README.md")));
    for (String directory : List.of("docs", "plans", "benchmarks", "src-test-fixtures")) {
      try (Stream<Path> files = Files.list(ROOT.resolve(directory))) {
        files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
      }
    }
    return pages.stream();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void relativeLinksLeadSomewhere(Path page) throws IOException {
    List<String> broken = new ArrayList<>();
    String text = Files.readString(page);
    for (Pattern pattern : List.of(LINK, IMAGE)) {
      for (Matcher link = pattern.matcher(text); link.find(); ) {
        String target = link.group(1);
        if (target.contains("://")) {
          continue;
        }
        String[] parts = target.split("#", 2);
        Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]);
        if (!Files.exists(file) || parts.length == 2 && !headings(file).contains(parts[1])) {
          broken.add(target);
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static Set<String> headings(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("^#+ *", "").toLowerCase(Locale.ROOT))
        .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
        .collect(Collectors.toSet());
  }

  @ParameterizedTest
  @MethodSource("pages")
  void commandsAndTheirOptionsExist(Path page) throws IOException {
    CommandLine commands = commands();
    List<String> unknown = new ArrayList<>();
    for (String code : code(page)) {
      for (Matcher used = COMMAND.matcher(code); used.find(); ) {
        CommandLine command = commands.getSubcommands().get(used.group(1));
        if (command == null) {
          unknown.add(used.group(1));
          continue;
        }
        for (Matcher option = LONG_OPTION.matcher(used.group(2)); option.find(); ) {
          if (command.getCommandSpec().findOption(option.group()) == null) {
            unknown.add(used.group(1) + " " + option.group());
          }
        }
      }
    }
    assertThat(unknown).isEmpty();
  }

  /** The lines of code blocks, continued ones as one, and the code within sentences. */
  private static List<String> code(Path page) throws IOException {
    List<String> code = new ArrayList<>();
    boolean block = false;
    for (String line : Files.readString(page).replace("\\\n", " ").lines().toList()) {
      if (line.strip().startsWith("```")) {
        block = !block;
      } else if (block) {
        code.add(line);
      } else {
        String[] parts = line.split("`");
        for (int i = 1; i < parts.length; i += 2) {
          code.add(parts[i]);
        }
      }
    }
    return code;
  }

  @ParameterizedTest
  @MethodSource("pages")
  void findingsExist(Path page) throws IOException {
    Set<String> known =
        Arrays.stream(FindingCode.values()).map(Enum::name).collect(Collectors.toSet());
    known.addAll(OF_OTHERS);
    Set<String> unknown = new HashSet<>();
    for (Matcher code = CODE.matcher(Files.readString(page)); code.find(); ) {
      if (!known.contains(code.group(1))) {
        unknown.add(code.group(1));
      }
    }
    assertThat(unknown).isEmpty();
  }

  @Test
  void theReadmeNamesEveryCommandAndExitCode() throws IOException {
    String readme = Files.readString(ROOT.resolve("README.md"));
    commands()
        .getSubcommands()
        .keySet()
        .forEach(command -> assertThat(readme).contains("migrator " + command));
    for (int code : List.of(0, 1, 2, 3, 5, 6, 7, 10)) {
      assertThat(readme).contains("| " + code + " |");
    }
  }

  private static CommandLine commands() {
    PrintStream nowhere =
        new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8);
    return Cli.commandLine(new Session(CliContext.ofProcess(), nowhere, nowhere));
  }
}
