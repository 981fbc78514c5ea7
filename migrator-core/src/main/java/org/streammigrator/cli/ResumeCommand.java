package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.Callable;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.LogFile;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.facts.Facts;
import org.streammigrator.position.HoodieStreamerCheckpoint;
import org.streammigrator.position.HoodieStreamerPositions;
import org.streammigrator.position.Resume;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.report.ResumeText;
import org.streammigrator.report.StartCode;
import org.streammigrator.report.StartLanguage;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code migrator resume}. */
@Command(
    name = "resume",
    description = {
      "The exact resume position of every source, ready to paste.",
      "Ends with 0 when every source has an answer, and with 3 when one has none or an error finding"
          + " forbids using it."
    },
    mixinStandardHelpOptions = true,
    footer = {
      "",
      "Example: migrator resume /chk/orders_bronze --delta 0=/lake/raw/orders",
      "Example: migrator resume /clicks --source 0=kafka --kafka broker:9092 --as sql",
      "Example: migrator resume --hoodie-streamer orders,0:120,1:95",
      "Example: migrator resume --last-time 2026-03-27T09:20:00Z --slack 30m"
    })
final class ResumeCommand implements Callable<Integer> {
  private final Session session;

  @Mixin private OutputFormat output;

  @Mixin private SourceKinds sources;

  @Mixin private WorldOptions world;

  @Option(
      names = "--as",
      paramLabel = "LANGUAGE",
      description = "Print code that starts reading there: ${COMPLETION-CANDIDATES}.")
  private StartLanguage language;

  @Option(
      names = "--batch",
      paramLabel = "N",
      description =
          "The position after the older committed batch N instead: what came after it is read"
              + " again.")
  private Long batch;

  @Option(
      names = "--hoodie-streamer",
      paramLabel = "TEXT",
      description =
          "A checkpoint of HoodieStreamer, such as orders,0:120,1:95, instead of CHECKPOINT.")
  private String hoodieStreamer;

  @ArgGroup(exclusive = false)
  private TimeOptions time;

  @Parameters(
      paramLabel = "CHECKPOINT",
      arity = "0..1",
      description = "The checkpoint's directory.")
  private String checkpoint;

  ResumeCommand(Session session) {
    this.session = requireNonNull(session, "session");
  }

  @Override
  public Integer call() throws IOException {
    if (language != null && output.json()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--as " + language + " and -o json exclude each other; --as json prints the options");
    }
    int given =
        (checkpoint == null ? 0 : 1) + (hoodieStreamer == null ? 0 : 1) + (time == null ? 0 : 1);
    if (given != 1) {
      throw new CliFailure(
          ExitCode.USAGE,
          "give one of CHECKPOINT, the directory of a checkpoint, --hoodie-streamer TEXT and"
              + " --last-time TIME");
    }
    if (checkpoint == null
        && (batch != null || world.given() || sources.ids().iterator().hasNext())) {
      throw new CliFailure(
          ExitCode.USAGE,
          "without a CHECKPOINT there are no sources that --source, --batch, --facts and the like"
              + " could speak of; leave them out");
    }
    if (time != null) {
      return time.print(session, output.json());
    }
    return print(hoodieStreamer == null ? resume() : ofHoodieStreamer());
  }

  private Resume ofHoodieStreamer() {
    return HoodieStreamerCheckpoint.parse(hoodieStreamer)
        .map(HoodieStreamerPositions::of)
        .orElseThrow(
            () ->
                new CliFailure(
                    ExitCode.USAGE,
                    "--hoodie-streamer "
                        + hoodieStreamer
                        + ": it must be written topic,partition:offset,... such as"
                        + " orders,0:120,1:95"));
  }

  private Resume resume() throws IOException {
    Map<String, SourceKind> told = sources.told();
    Checkpoint read = session.checkpoint(checkpoint);
    SourceKinds.requireSources(read, "--source", sources.ids());
    Facts facts = world.facts(session, read, told);
    ResumePositions positions = new ResumePositions(read, facts, told);
    return batch == null ? positions.compute() : positions.after(batch, plan(read, batch));
  }

  private OffsetLog plan(Checkpoint read, long wanted) throws IOException {
    boolean committed =
        read.commits().batches().contains(wanted) && read.offsets().batches().contains(wanted);
    LogFile<OffsetLog> plan =
        committed
            ? new CheckpointReader(session.context().store()).offsets(read.location(), wanted)
            : new LogFile.Missing<>();
    return plan.readable()
        .orElseThrow(
            () ->
                new CliFailure(
                    ExitCode.REFUSED,
                    "--batch "
                        + wanted
                        + ": "
                        + (plan instanceof LogFile.Damaged<OffsetLog> damaged
                            ? "its plan cannot be read: " + damaged.message()
                            : "no such batch is committed; give one that is in offsets/ and in"
                                + " commits/")));
  }

  private int print(Resume resume) {
    if (language != null) {
      StartCode code = new StartCode(resume, world.paths(session), world.kafka());
      session.out().print(code.in(language));
    } else if (output.json()) {
      session.out().println(JsonOutput.pretty(resume));
    } else {
      session.out().print(ResumeText.render(resume));
    }
    return resume.usable() ? ExitCode.DONE : ExitCode.REFUSED;
  }
}
