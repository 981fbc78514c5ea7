package org.streammigrator.jobs.versions;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.streammigrator.jobs.versions.VersionEvents.ALL;
import static org.streammigrator.jobs.versions.VersionEvents.BEFORE;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;

/** One stream of one version, migrated by a plan, and started by a version again. */
final class Migration {
  /** What holds once everything is read. */
  static final String EXACT = "exact";

  /** What holds where {@code inspect} says beforehand that a version does not start it. */
  static final String NOT_STARTED = "does not start, as `inspect` says";

  private static final int TAKEN_BACK = 2;
  private static final Pattern REFUSAL = Pattern.compile("ERROR ([A-Z_0-9]+)");

  private final Path root;
  private final SparkVersion old;
  private final SparkVersion now;
  private final Kind kind;
  private final Strategy strategy;
  private String outcome = "not tried";

  /** The strategies, in the order of the table. */
  enum Strategy {
    RELOCATE,
    SEED,
    REWIND,
    REPLAY;

    private String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  Migration(Path root, SparkVersion old, SparkVersion now, Kind kind, Strategy strategy) {
    this.root = requireNonNull(root, "root");
    this.old = requireNonNull(old, "old");
    this.now = requireNonNull(now, "now");
    this.kind = requireNonNull(kind, "kind");
    this.strategy = requireNonNull(strategy, "strategy");
  }

  boolean isOf(SparkVersion writer, SparkVersion starter, Kind query) {
    return old == writer && now == starter && kind == query;
  }

  boolean by(Strategy wanted) {
    return strategy == wanted;
  }

  String name() {
    return old + "-" + now + "-" + kind.label() + "-" + strategy.label();
  }

  /** {@link #EXACT}, or what went wrong. */
  String outcome() {
    return outcome;
  }

  /** What has to come of it. */
  String expected() {
    return startable() ? EXACT : NOT_STARTED;
  }

  /** State whose files carry ids is new in Spark 4.0. */
  private boolean startable() {
    return kind != Kind.FORMAT_2 || now.hasFormat2();
  }

  /** Applies the plan, the sink beside the new checkpoint. */
  void carryOut() throws Exception {
    Path home = Files.createDirectories(home());
    FileUtils.copyDirectory(
        written(kind.label() + "-sink").toFile(), home.resolve("sink").toFile());
    Path plan = Files.writeString(home.resolve("plan.yaml"), plan());
    String told = migrator("apply", plan.toString());
    if (told.isEmpty()) {
      outcome = "applied";
      return;
    }
    Files.writeString(home.resolve("told"), told);
    Matcher refusal = REFUSAL.matcher(told);
    outcome = refusal.find() ? "refused: " + refusal.group(1) : "not applied";
  }

  /** What the new version's process has to do. */
  List<String> tasks() {
    if (!outcome.equals("applied")) {
      return List.of();
    }
    return List.of(
        "run %s %s %s %s %s %s %s"
            .formatted(
                name(),
                kind.label(),
                strategy == Strategy.SEED || strategy == Strategy.REPLAY ? "new" : "old",
                strategy == Strategy.REWIND ? "merge" : "append",
                home().resolve("new"),
                written("source"),
                home().resolve("sink")),
        "rows " + home().resolve("sink") + " " + home().resolve("rows"));
  }

  /** Compares the sink's rows with what they have to be. */
  void judge(Map<String, String> results) throws IOException {
    if (!outcome.equals("applied")) {
      return;
    }
    String result = results.getOrDefault(name(), "did not run");
    if (!result.equals("ok")) {
      String told = inspection().replaceAll("\\s", "");
      boolean foretold = told.contains("\"" + now + "\":false");
      outcome = foretold ? NOT_STARTED : result;
      return;
    }
    List<String> rows = Files.readAllLines(home().resolve("rows"));
    outcome = kind.isStateful() ? windows(rows) : events(rows);
  }

  private String events(List<String> rows) {
    List<String> all =
        VersionEvents.of(0, ALL).stream()
            .map(event -> event.id + "|" + event.key + "|" + event.amount)
            .sorted()
            .toList();
    return rows.equals(all) ? EXACT : "WRONG: " + rows.size() + " rows of " + all.size();
  }

  private String windows(List<String> rows) {
    Map<String, Long> wanted = new TreeMap<>();
    long before = VersionEvents.watermark(BEFORE);
    long end = VersionEvents.watermark(ALL);
    if (strategy == Strategy.SEED) {
      wanted.putAll(VersionEvents.windows(VersionEvents.of(0, BEFORE), Long.MIN_VALUE, before));
      wanted.putAll(VersionEvents.windows(VersionEvents.of(BEFORE, ALL), before, end));
    } else {
      wanted.putAll(VersionEvents.windows(VersionEvents.of(0, ALL), Long.MIN_VALUE, end));
    }
    Map<String, Long> written = new TreeMap<>();
    int tops = 0;
    for (String row : rows) {
      String[] values = row.split("\\|");
      if (written.put(values[0] + "|" + values[1], Long.valueOf(values[2])) != null) {
        return "WRONG: window " + values[0] + " of " + values[1] + " twice";
      }
      tops += values[3].equals("none") ? 0 : 1;
    }
    boolean isNew = strategy == Strategy.SEED || strategy == Strategy.REPLAY;
    if (isNew == (tops == 0)) {
      return "WRONG: the other query ran";
    }
    return written.equals(wanted)
        ? EXACT
        : "WRONG: " + written.size() + " windows, wanted " + wanted.size();
  }

  private Path home() {
    return root.resolve("migrated").resolve(name());
  }

  private Path written(String name) {
    return root.resolve("old-" + old).resolve(name);
  }

  private String plan() throws IOException {
    String sinkKeys = kind.isStateful() ? "[ws, k]" : "[id]";
    StringBuilder plan =
        new StringBuilder(
            """
            version: 1
            name: versions
            streams:
              - name: %s
                strategy: %s
                checkpoint: {from: "%s", to: new}
                sources: [{delta: "%s", eventTime: at, options: {startingVersion: 0}}]
            """
                .formatted(
                    kind.label(),
                    strategy.label(),
                    written(kind.label() + "-checkpoint"),
                    written("source")));
    plan.append("    sink: {delta: sink, keys: ").append(sinkKeys).append("}\n");
    if (strategy == Strategy.REWIND) {
      plan.append("    identity: new\n    batch: ").append(last() - TAKEN_BACK).append('\n');
    }
    if (kind.isStateful() && (strategy == Strategy.SEED || strategy == Strategy.REPLAY)) {
      plan.append("    changes: [{kind: aggregate, detail: a maximum was added}]\n")
          .append(
              "    query: {outputMode: append, operators: [{kind: window, size: 5m, delay: 4m}]}\n");
    }
    if (kind.isStateful() && strategy == Strategy.SEED) {
      plan.append("    accept: [STATE_DROPPED]\n");
    }
    return plan.toString();
  }

  private long last() throws IOException {
    try (Stream<Path> files = Files.list(written(kind.label() + "-checkpoint/commits"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("[0-9]+"))
          .mapToLong(Long::parseLong)
          .max()
          .orElseThrow();
    }
  }

  private String inspection() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, UTF_8);
    Cli.run(
        List.of("inspect", home().resolve("new").toString(), "-o", "json"),
        printed,
        printed,
        CliContext.ofProcess());
    return out.toString(UTF_8);
  }

  /** What the program said; empty if it ended well. */
  private static String migrator(String... arguments) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream printed = new PrintStream(out, true, UTF_8);
    int code = Cli.run(List.of(arguments), printed, printed, CliContext.ofProcess());
    return code == 0 ? "" : "exit code " + code + "\n" + out.toString(UTF_8);
  }
}
