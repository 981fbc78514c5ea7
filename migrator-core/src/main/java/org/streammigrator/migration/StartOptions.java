package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.streammigrator.authoring.Draft;
import org.streammigrator.authoring.Seeding;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Address;
import org.streammigrator.plan.OutputMode;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.position.Resume;
import org.streammigrator.position.SourcePosition;

/**
 * The strategy start-options: a new checkpoint with nothing in it, and reader options that start
 * the new query where the old one stood, or a stated overlap before that. What no option can say,
 * or would skip, is refused: a seeded checkpoint can say it.
 */
public final class StartOptions {
  /** Where the journal's entry {@code resolved} holds the options. */
  static final String KEY = "startOptions";

  private final StreamSurvey survey;
  private final Checkpoint checkpoint;
  private final Resume resume;
  private final List<Finding> findings = new ArrayList<>();

  StartOptions(StreamSurvey survey, Checkpoint checkpoint, Resume resume) {
    this.survey = requireNonNull(survey, "survey");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.resume = requireNonNull(resume, "resume");
  }

  /**
   * The new query's options, source by source, in words; empty for a source that starts as it was
   * first started.
   */
  public static List<String> lines(StreamPlan stream, Resume resume) {
    List<String> lines = new ArrayList<>();
    for (SourcePosition source : resume.sources()) {
      if (!isRemoved(stream, source.id())) {
        lines.add(line(stream, source));
      }
    }
    stream.sources().stream()
        .filter(SourcePlan::isNew)
        .forEach(
            source ->
                lines.add(
                    "source "
                        + source.name().or(() -> source.address().map(Address::text)).orElse("new")
                        + ": new, with starting options of its own"));
    return lines;
  }

  /** The options as the journal has them; empty if an apply did not get that far. */
  static List<String> recorded(Journal journal, StreamPlan stream) {
    List<String> lines = new ArrayList<>();
    journal
        .last(stream.name(), "resolved")
        .ifPresent(entry -> entry.path(KEY).forEach(line -> lines.add(line.asText())));
    return lines;
  }

  private static boolean isRemoved(StreamPlan stream, String oldId) {
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan source = stream.sources().get(i);
      if (source.removed()
          && source.was().or(source::name).orElse(Integer.toString(i)).equals(oldId)) {
        return true;
      }
    }
    return false;
  }

  private static String line(StreamPlan stream, SourcePosition source) {
    return "source "
        + stream.newId(source.id())
        + " ("
        + source.type().label()
        + "): "
        + (source.options().isEmpty()
            ? "the options that the old query was first started with"
            : source.options().entrySet().stream()
                .map(option -> option.getKey() + " = " + option.getValue())
                .collect(Collectors.joining(", ")));
  }

  /** The empty checkpoint; refused where options would lose something. */
  Draft draft() {
    StreamPlan stream = survey.stream();
    if (resume.batch() == null) {
      findings.add(
          Finding.error(
              FindingCode.NO_COMMITTED_BATCH,
              "commits",
              "no batch is known to be done, so that there is no position to start from",
              "start the new query with the old one's starting options, if no row of it is in the"
                  + " sink"));
      return Draft.refused(findings);
    }
    for (SourcePosition source : sources()) {
      if (source.usable() && source.options().isEmpty()) {
        findings.add(
            Finding.warning(
                FindingCode.INEXACT_POSITION,
                "source " + source.id(),
                "it had delivered nothing, and an empty checkpoint asks its starting options anew:"
                    + " what came since is skipped where they say latest",
                "start it with earliest, or where the old query once began"));
      }
      if (!source.usable()) {
        findings.add(
            Finding.error(
                FindingCode.INEXACT_POSITION,
                "source " + source.id(),
                "no reader option starts a new checkpoint where the old query stands: "
                    + source.explanation(),
                "use strategy seed, which writes the position into the checkpoint"));
      }
    }
    if (stream.query().outputMode().filter(OutputMode.COMPLETE::equals).isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.INEXACT_POSITION,
              "query.outputMode",
              "in complete mode the new query would replace the table by what it reads from here on",
              "use strategy replay; or start it from the beginning of its sources"));
    }
    Seeding.stateDropped(checkpoint, survey.dropped(), false).ifPresent(findings::add);
    knownBatches();
    Exactness exactness = Exactness.worst(sources().stream().map(StartOptions::exactness).toList());
    if (exactness != Exactness.EXACT) {
      repeated(stream);
    }
    return new Draft(
        List.of(),
        null,
        OptionalLong.empty(),
        OptionalLong.empty(),
        exactness,
        exactness == Exactness.EXACT
            ? "the new query starts at an empty checkpoint, with reader options that are exactly"
                + " where batch "
                + resume.batch()
                + " ended"
            : "the new query starts at an empty checkpoint, and reads again: "
                + sources().stream()
                    .filter(source -> exactness(source) != Exactness.EXACT)
                    .map(source -> "source " + source.id() + ": " + source.explanation())
                    .collect(Collectors.joining("; ")),
        findings);
  }

  /** Those that the new query reads. */
  private List<SourcePosition> sources() {
    return resume.sources().stream()
        .filter(source -> !isRemoved(survey.stream(), source.id()))
        .toList();
  }

  private static Exactness exactness(SourcePosition source) {
    return source.options().isEmpty() && source.usable() ? Exactness.EXACT : source.exactness();
  }

  /** The new batches count from 0, and a sink that goes by numbers alone has those. */
  private void knownBatches() {
    for (SinkPlan sink : survey.stream().sink()) {
      boolean isByNumber =
          sink.address().kind() == SinkKind.FILES
              || sink.address().kind() == SinkKind.DELTA && sink.txnAppId().isPresent();
      if (isByNumber && !isAsked(sink)) {
        findings.add(
            Finding.warning(
                FindingCode.SINK_BATCHES_SKIPPED,
                sink.address().text(),
                "it could not be asked for its record of batches, and goes by numbers that outlive"
                    + " the query: the new query's batches begin at 0, and it would skip each that it"
                    + " has, with what the batch read",
                "look yourself that it has no record of "
                    + sink.txnAppId().map(id -> "txnAppId " + id).orElse("batches")
                    + "; or use strategy seed"));
      }
    }
    if (survey.newestInSinks().isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.SINK_BATCHES_SKIPPED,
              "sink",
              "the sink has a record of batch "
                  + survey.newestInSinks().getAsLong()
                  + " that the new query would go by, too, and its batches begin at 0: it would skip"
                  + " what they read, and that would be lost",
              "use another txnAppId or another directory; or strategy seed, which goes on with the"
                  + " next number"));
    }
  }

  private boolean isAsked(SinkPlan sink) {
    return sink.address()
        .location()
        .filter(
            place ->
                survey.findings().stream()
                    .noneMatch(
                        finding ->
                            finding.code() == FindingCode.NOT_AVAILABLE
                                && finding.subject().equals(place.toString())))
        .isPresent();
  }

  private void repeated(StreamPlan stream) {
    Optional<String> without =
        stream.sink().isEmpty()
            ? Optional.of("the sink, which the plan does not name,")
            : stream.sink().stream()
                .filter(sink -> !sink.merges())
                .map(sink -> sink.address().text())
                .findFirst();
    findings.add(
        without.isPresent()
            ? Finding.error(
                FindingCode.SINK_ROWS_REPEATED,
                "sink",
                without.get() + " gets the rows that are read again twice",
                "let the new query write with MERGE, and say the keys: sink: {delta: ..., keys:"
                    + " [...]}; or use strategy seed; or remove them afterwards (job dedup) and accept"
                    + " SINK_ROWS_REPEATED")
            : Finding.info(
                FindingCode.SINK_ROWS_REPEATED,
                "sink",
                "the rows that are read again are taken up by MERGE on "
                    + stream.sink().stream()
                        .map(SinkPlan::keys)
                        .map(keys -> String.join(", ", keys))
                        .collect(Collectors.joining("; ")),
                "see that the new query writes with MERGE on these keys"));
  }
}
