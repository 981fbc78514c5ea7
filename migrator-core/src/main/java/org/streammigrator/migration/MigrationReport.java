package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;

/**
 * What a report says of a whole run; what it says of each stream is a {@link StreamReport}, of
 * which only one has to be in memory.
 *
 * @param command {@code apply} or {@code prove}
 * @param plan the plan's name
 * @param planFile the plan's file as it was given
 * @param at when the run ended
 * @param journal where the journal is
 * @param version the version of this program
 * @param exitCode what the command ends with
 * @param streams the streams, in the order of the run
 */
public record MigrationReport(
    String command,
    String plan,
    String planFile,
    Instant at,
    String journal,
    String version,
    int exitCode,
    List<StreamLine> streams) {

  public MigrationReport {
    requireNonNull(command, "command");
    requireNonNull(plan, "plan");
    requireNonNull(planFile, "planFile");
    requireNonNull(at, "at");
    requireNonNull(journal, "journal");
    requireNonNull(version, "version");
    streams = List.copyOf(streams);
  }

  /** How many streams have a verdict. */
  public long count(StreamLine.Verdict verdict) {
    return streams.stream().filter(stream -> stream.verdict() == verdict).count();
  }

  /** The worst verdict of all streams; good if there is none. */
  public StreamLine.Verdict verdict() {
    return streams.stream()
        .map(StreamLine::verdict)
        .max(Comparator.comparing(verdict -> SEVERITY.indexOf(verdict)))
        .orElse(StreamLine.Verdict.GOOD);
  }

  private static final List<StreamLine.Verdict> SEVERITY =
      List.of(
          StreamLine.Verdict.GOOD,
          StreamLine.Verdict.WAITING,
          StreamLine.Verdict.STOPPED,
          StreamLine.Verdict.BAD);

  /** How many files all new checkpoints were written with. */
  public long files() {
    return streams.stream().map(StreamLine::files).filter(Objects::nonNull).mapToLong(n -> n).sum();
  }

  /** How many bytes they have. */
  public long bytes() {
    return streams.stream().map(StreamLine::bytes).filter(Objects::nonNull).mapToLong(n -> n).sum();
  }

  /** How long all steps took together, in milliseconds; null if that is known of no stream. */
  public Long tookMs() {
    List<Long> known = streams.stream().map(StreamLine::tookMs).filter(Objects::nonNull).toList();
    return known.isEmpty() ? null : (Long) known.stream().mapToLong(n -> n).sum();
  }
}
