package org.streammigrator.cli;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.streammigrator.migration.MigrationReport;
import org.streammigrator.migration.StreamReport;
import org.streammigrator.plan.Plan;
import org.streammigrator.rehearsal.SecretMask;
import org.streammigrator.report.MigrationReportWriter;
import org.streammigrator.report.ReportFormat;
import org.streammigrator.storage.Location;
import picocli.CommandLine.Option;

/** The option that writes reports. */
final class ReportOption {
  private static final int HEAD = 256;

  @Option(
      names = "--report",
      paramLabel = "FILE",
      description = {
        "Write a report, too: a page that needs nothing else (.html), Markdown (.md) or JUnit",
        "XML (.xml), by the ending; may be repeated. An earlier report there is replaced."
      })
  private List<String> files = new ArrayList<>();

  /** A report to be written. */
  private record Target(Path path, ReportFormat format) {}

  private List<Target> targets = List.of();

  /**
   * Checks everything that can be checked before anything is done.
   *
   * @throws CliFailure if a file cannot be meant
   */
  void check(Session session, Plan plan) throws IOException {
    Map<Path, Target> checked = new LinkedHashMap<>();
    for (String file : files) {
      ReportFormat format =
          ReportFormat.of(file)
              .orElseThrow(
                  () ->
                      usage(
                          file,
                          "the ending says what is written, and is one of .html, .md and .xml"));
      Location location = session.location(file);
      if (!location.isLocal()) {
        throw usage(file, "a report is written to a local file; copy it from there");
      }
      PlanFile.refuseInside(
          location, plan, "--report " + file, "the report", "name a place outside of it");
      Path path = location.localPath();
      if (Files.isDirectory(path)) {
        throw usage(file, "this is a directory; name a file in it");
      }
      refuseOther(file, path);
      checked.put(path, new Target(path, format));
    }
    targets = List.copyOf(checked.values());
  }

  private static CliFailure usage(String file, String message) {
    return new CliFailure(ExitCode.USAGE, "--report " + file + ": " + message);
  }

  /** What is no report is not replaced by one. */
  private static void refuseOther(String file, Path path) {
    if (!Files.exists(path)) {
      return;
    }
    try (InputStream in = Files.newInputStream(path)) {
      if (!new String(in.readNBytes(HEAD), StandardCharsets.UTF_8)
          .contains("<!--" + MigrationReportWriter.MARK + "-->")) {
        throw usage(
            file, "there is a file that is no report, and it is not replaced; choose another name");
      }
    } catch (IOException unreadable) {
      throw usage(
          file,
          "there is a file that cannot be read, so that nobody knows whether it may be replaced;"
              + " choose another name");
    }
  }

  /** Whether a report is wanted. */
  boolean isWanted() {
    return !targets.isEmpty();
  }

  /** All of a stream, by its place in the report. */
  interface Details {
    StreamReport of(int place);
  }

  /** A file that is being written, beside the place where it goes when it is whole. */
  private static final class Open implements AutoCloseable {
    private final Path path;
    private final Path temporary;
    private final FileChannel channel;
    private final Writer out;
    private final MigrationReportWriter writer;

    Open(Target target, UnaryOperator<String> mask) throws IOException {
      this.path = target.path();
      this.temporary = path.resolveSibling("." + path.getFileName() + ".migrator-tmp");
      this.channel =
          FileChannel.open(
              temporary,
              StandardOpenOption.CREATE,
              StandardOpenOption.WRITE,
              StandardOpenOption.TRUNCATE_EXISTING);
      this.out = new BufferedWriter(Channels.newWriter(channel, StandardCharsets.UTF_8));
      this.writer = target.format().writer(out, mask);
    }

    void finish() throws IOException {
      writer.end();
      out.flush();
      channel.force(true);
      channel.close();
      Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
      channel.close();
      Files.deleteIfExists(temporary);
    }
  }

  /**
   * Writes the reports, each whole or not at all.
   *
   * @param mask takes secrets out of a text
   * @return the exit code of what is reported
   * @throws CliFailure if one cannot be written: with that exit code, or {@link
   *     ExitCode#UNEXPECTED} where it is {@link ExitCode#DONE}, as for a result that cannot be
   *     printed
   */
  int write(MigrationReport report, Details details, SecretMask mask) {
    Map<Path, Exception> failures = new LinkedHashMap<>();
    List<Open> open = new ArrayList<>();
    try {
      for (Target target : targets) {
        attempt(
            target.path(),
            failures,
            () -> {
              Open file = new Open(target, mask::apply);
              open.add(file);
              file.writer.begin(report);
            });
      }
      for (int i = 0; i < report.streams().size() && failures.size() < targets.size(); i++) {
        StreamReport stream = details.of(i);
        for (Open file : open) {
          attempt(file.path, failures, () -> file.writer.stream(stream));
        }
      }
      for (Open file : open) {
        attempt(file.path, failures, file::finish);
      }
    } catch (RuntimeException unexpected) {
      targets.forEach(target -> failures.putIfAbsent(target.path(), unexpected));
    } finally {
      for (Open file : open) {
        attempt(file.path, failures, file::close);
      }
    }
    if (!failures.isEmpty()) {
      throw unwritten(report.command(), report.exitCode(), failures);
    }
    return report.exitCode();
  }

  /**
   * The failure of all reports.
   *
   * @param command what is reported
   * @param exitCode what that ended with
   */
  CliFailure failed(String command, int exitCode, Exception failure) {
    Map<Path, Exception> failures = new LinkedHashMap<>();
    targets.forEach(target -> failures.put(target.path(), failure));
    return unwritten(command, exitCode, failures);
  }

  /** A part of writing. */
  private interface Part {
    void run() throws IOException;
  }

  /** Does a part, unless an earlier one of the same file has failed. */
  private static void attempt(Path path, Map<Path, Exception> failures, Part part) {
    if (failures.containsKey(path)) {
      return;
    }
    try {
      part.run();
    } catch (IOException failure) {
      failures.put(path, failure);
    }
  }

  private static CliFailure unwritten(String command, int exitCode, Map<Path, Exception> failures) {
    StringBuilder text = new StringBuilder();
    failures.forEach(
        (path, failure) ->
            text.append("the report " + path + " could not be written: ")
                .append(reason(path, failure))
                .append("\n  "));
    boolean isDone = exitCode == ExitCode.DONE;
    text.append(
        command
            + " itself ended as said above"
            + (isDone ? ", well" : ", with exit code " + exitCode)
            + "; run it again with a --report that can be written");
    return new CliFailure(
        isDone ? ExitCode.UNEXPECTED : exitCode,
        text.toString(),
        failures.values().iterator().next());
  }

  private static String reason(Path path, Exception failure) {
    Path directory = path.toAbsolutePath().getParent();
    if (failure instanceof NoSuchFileException && !Files.exists(directory)) {
      return "there is no directory " + directory;
    }
    return failure instanceof AccessDeniedException
        ? "no permission to write in " + directory
        : Failures.describe(failure);
  }
}
