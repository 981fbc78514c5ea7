package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.discovery.Discoverer;
import org.streammigrator.discovery.Discovery;
import org.streammigrator.discovery.DiscoveryChoice;
import org.streammigrator.discovery.DiscoveryOrder;
import org.streammigrator.discovery.FleetPlan;
import org.streammigrator.discovery.Health;
import org.streammigrator.discovery.TableFlow;
import org.streammigrator.facts.Facts;
import org.streammigrator.plan.PlanProblem;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.report.DiscoveryText;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ReadOnlyStore;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator discover}. */
@Command(
    name = "discover",
    description = {
      "Finds every checkpoint below ROOT, a line each. Looks into every directory but a"
          + " checkpoint's own, _delta_log and _spark_metadata; never into state.",
      "Ends with 0 also if checkpoints are damaged (their health says so) or none is there."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator discover /lake --kind delta --older-than 7d --sort age",
      "         migrator discover /lake --write-plan fleet.yaml --to /new-lake"
    })
final class DiscoverCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Parameters(paramLabel = "ROOT", description = "The directory to search below.")
  private String root;

  @Option(
      names = "--sort",
      paramLabel = "path|age|size|health|name",
      defaultValue = "path",
      description = "Order of the lines: oldest, largest or worst first (default: path).")
  private DiscoveryOrder order;

  @Option(
      names = "--kind",
      paramLabel = "KIND[,...]",
      hideParamSyntax = true,
      split = ",",
      description = "Only those with a source of this kind, such as delta. Repeatable.")
  private Set<String> kinds = new LinkedHashSet<>();

  @Option(
      names = "--health",
      paramLabel = "ok|warning|error",
      hideParamSyntax = true,
      split = ",",
      description = "Only those of this health. Repeatable.")
  private Set<Health> healths = new LinkedHashSet<>();

  @Option(
      names = "--older-than",
      paramLabel = "DURATION",
      description = "Only those without a commit for so long, such as 90m, 12h or 7d.")
  private String olderThan;

  @Option(
      names = "--name",
      paramLabel = "GLOB",
      description =
          "Only those whose name matches (* and ?); with a slash in it, whose path below ROOT does.")
  private String name;

  @Option(
      names = "--full",
      description = "Read each one as inspect does: state is looked at and counted. Slower.")
  private boolean full;

  @Option(
      names = "--facts",
      paramLabel = "FILE",
      description =
          "JSON file of facts about brokers and tables, for lags; docs/formats.md has its keys.")
  private String facts;

  @Option(
      names = "--write-plan",
      paramLabel = "FILE",
      description = "Write a plan that relocates what is listed. Needs --to; never overwrites.")
  private String planFile;

  @Option(
      names = "--to",
      paramLabel = "URI",
      description = "Where the plan moves them: each keeps its path below ROOT, below URI.")
  private String target;

  DiscoverCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    DiscoveryChoice choice =
        new DiscoveryChoice(
            known(kinds),
            healths,
            olderThan == null
                ? OptionalLong.empty()
                : OptionalLong.of(DurationOption.parse("--older-than", olderThan).toMillis()),
            Optional.ofNullable(name),
            order);
    Optional<Location> to = target();
    Facts known = facts == null ? Facts.NONE : session.facts(facts);
    Discovery discovery = choice.of(discover(session.location(root), known));
    if (to.isPresent()) {
      writePlan(discovery, to.get());
    }
    if (output.json()) {
      session.out().println(JsonOutput.pretty(discovery));
    } else {
      session.out().print(DiscoveryText.render(discovery));
    }
    return ExitCode.DONE;
  }

  private Discovery discover(Location location, Facts known) throws IOException {
    try {
      return Discoverer.discover(
          session.context().store(), location, known, full, session.context().clock());
    } catch (NoSuchFileException missing) {
      throw new CliFailure(
          ExitCode.USAGE, location + " does not exist; give a directory to search below", missing);
    } catch (NotDirectoryException file) {
      throw new CliFailure(
          ExitCode.USAGE, location + " is a file; give a directory to search below", file);
    } catch (AccessDeniedException denied) {
      throw new CliFailure(
          Failures.exitCode(denied),
          "no permission to read " + location + "; give this user access and run it again",
          denied);
    }
  }

  private static Set<String> known(Set<String> kinds) {
    List<String> labels = Arrays.stream(SourceKind.values()).map(SourceKind::label).toList();
    for (String kind : kinds) {
      if (!labels.contains(kind)) {
        throw new CliFailure(
            ExitCode.USAGE,
            "--kind "
                + kind
                + ": there is no such kind; the kinds are "
                + String.join(", ", labels));
      }
    }
    return kinds;
  }

  private Optional<Location> target() throws IOException {
    if ((planFile == null) != (target == null)) {
      throw new CliFailure(
          ExitCode.USAGE,
          planFile == null
              ? "--to goes with --write-plan FILE, which is missing"
              : "--write-plan needs --to URI: where the checkpoints shall go");
    }
    if (planFile == null) {
      return Optional.empty();
    }
    Location file = session.location(planFile);
    if (session.context().store().stat(file).isPresent()) {
      throw alreadyThere(file, null);
    }
    try {
      return Optional.of(Location.parse(target, session.context().directory()));
    } catch (IllegalArgumentException invalid) {
      throw new CliFailure(ExitCode.USAGE, "--to: " + invalid.getMessage(), invalid);
    }
  }

  private void writePlan(Discovery discovery, Location to) throws IOException {
    Location file = session.location(planFile);
    if (FleetPlan.streams(discovery) == 0) {
      throw new CliFailure(
          ExitCode.REFUSED,
          "no plan was written: "
              + (discovery.checkpoints().isEmpty()
                  ? "no checkpoint is listed"
                  : "Spark could not restart from any of the "
                      + discovery.checkpoints().size()
                      + " checkpoints listed")
              + " below "
              + discovery.root());
    }
    String text =
        FleetPlan.text(
            discovery,
            file.name().replaceFirst("\\.ya?ml$", ""),
            to,
            TableFlow.of(new ReadOnlyStore(session.context().store()), discovery));
    List<PlanProblem> problems =
        PlanReader.read(text, Path.of(file.path()).getParent(), Map.of(), key -> Optional.empty())
            .problems();
    if (!problems.isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "no plan was written, since --to "
              + to
              + " gives one that is not valid:\n"
              + problems.stream().map(PlanProblem::message).collect(Collectors.joining("\n")));
    }
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    try {
      session.context().store().write(file, out -> out.write(bytes), Optional.empty());
    } catch (FileAlreadyExistsException there) {
      throw alreadyThere(file, there);
    }
    long streams = FleetPlan.streams(discovery);
    long left = discovery.checkpoints().size() - streams;
    session
        .err()
        .println(
            "migrator: "
                + file
                + " has "
                + streams
                + (streams == 1 ? " stream" : " streams")
                + (left == 0 ? "" : "; " + left + " left out, each as a comment that says why"));
  }

  private static CliFailure alreadyThere(Location file, Throwable cause) {
    return new CliFailure(
        ExitCode.USAGE,
        file + " is there already, and nothing is overwritten: name another",
        cause);
  }
}
