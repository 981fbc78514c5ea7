package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.authoring.Draft;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.job.BackfillResult;
import org.streammigrator.plan.Address;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;

/** The steps of a stream, in their order. */
final class Steps {
  private Steps() {}

  static List<Step> of(
      StreamPlan stream, Checkpoint checkpoint, Draft draft, List<SinkMove> sinkMoves) {
    Location from = stream.checkpoint().from();
    Location to = stream.checkpoint().to().orElseThrow();
    String staging = CheckpointWriter.stagingFor(to).toString();
    List<Step> steps = new ArrayList<>();
    if (stream.archive().isPresent()) {
      List<CheckpointFile> all =
          checkpoint.files().stream().filter(CheckpointFile::isFile).toList();
      long bytes = all.stream().mapToLong(CheckpointFile::size).sum();
      steps.add(
          step(
              stream,
              Step.Kind.ARCHIVE,
              "pack the old checkpoint (" + files(all.size(), bytes) + ") and verify the archive",
              List.of(from.toString()),
              List.of(stream.archive().get().to().toString()),
              bytes));
    }
    String written = files(draft.files().size(), draft.bytes());
    steps.add(
        step(
            stream,
            Step.Kind.WRITE,
            written(stream) + written + ") beside its target",
            List.of(from.toString()),
            List.of(staging),
            draft.bytes()));
    List<String> oldLogs = sinkMoves.stream().map(move -> move.oldLog().toString()).toList();
    List<String> newLogs = sinkMoves.stream().map(move -> move.newLog().toString()).toList();
    List<String> stagedLogs =
        sinkMoves.stream()
            .map(move -> CheckpointWriter.stagingFor(move.newLog()).toString())
            .toList();
    if (!sinkMoves.isEmpty()) {
      long bytes = sinkMoves.stream().mapToLong(move -> move.draft().bytes()).sum();
      int count = sinkMoves.stream().mapToInt(move -> move.draft().files().size()).sum();
      steps.add(
          step(
              stream,
              Step.Kind.SINK_LOG,
              "write the sink's log ("
                  + files(count, bytes)
                  + ") with the new paths of its files beside its new place",
              oldLogs,
              stagedLogs,
              bytes));
    }
    steps.add(
        step(
            stream,
            Step.Kind.VERIFY,
            "read the staged files back and compare their checksums",
            and(List.of(staging), stagedLogs),
            List.of(),
            0));
    if (!sinkMoves.isEmpty()) {
      steps.add(
          step(
              stream,
              Step.Kind.SINK_PUBLISH,
              "make sure that nothing old has changed, and name the sink's new log",
              and(and(List.of(from.toString()), oldLogs), stagedLogs),
              newLogs,
              0));
    }
    steps.add(
        step(
            stream,
            Step.Kind.PUBLISH,
            "make sure that the old checkpoint has not changed, and name the new one",
            List.of(from.toString(), staging),
            List.of(to.toString()),
            0));
    return steps;
  }

  private static String written(StreamPlan stream) {
    return switch (stream.strategy()) {
      case SEED, BACKFILL -> "write a checkpoint at the old position (";
      case REPLAY -> "write a checkpoint whose first batch reads again up to the old position (";
      case REWIND ->
          "write the checkpoint as it was after batch " + stream.batch().orElseThrow() + " (";
      case RELOCATE -> "copy what a restart needs (";
      case START_OPTIONS -> "make an empty checkpoint (";
    };
  }

  /** What follows once the new checkpoint of a replay is there that must not run into its sink. */
  static Step replay(StreamPlan stream, long batch) {
    return new Step(
        stream.name() + "/" + Step.Kind.REPLAY.label(),
        Step.Kind.REPLAY,
        "wait until the new query has run batch "
            + batch
            + " with its output elsewhere, and look at the state that it left",
        List.of(stream.checkpoint().to().orElseThrow().toString()),
        List.of(),
        0,
        true);
  }

  /** What follows once the new checkpoint of a backfill is there. */
  static List<Step> backfill(StreamPlan stream, BackfillResult measured) {
    long files = 0;
    long bytes = 0;
    long records = 0;
    boolean isCounted = true;
    for (BackfillResult.Source source : measured.sources()) {
      files += source.files() == null ? 0 : source.files();
      bytes += source.bytes() == null ? 0 : source.bytes();
      records += source.records() == null ? 0 : source.records();
      isCounted &= source.records() != null;
    }
    String read =
        (isCounted ? records + " records" : "the records")
            + (files == 0 ? "" : " in " + files((int) files, bytes));
    String touched =
        measured.targetFiles() == null
            ? ""
            : ", which may touch "
                + files(measured.targetFiles().intValue(), measured.targetBytes());
    return List.of(
        backfillStep(
            stream,
            Step.Kind.BACKFILL,
            "compute the job's windows from " + read + ", and MERGE them into the table" + touched),
        last(stream));
  }

  /** What is left of that. */
  static List<Step> remainingBackfill(StreamPlan stream, boolean provisional) {
    return provisional
        ? List.of(last(stream))
        : List.of(
            backfillStep(
                stream,
                Step.Kind.BACKFILL,
                "compute the job's windows, and MERGE them into the table"),
            last(stream));
  }

  private static Step last(StreamPlan stream) {
    return backfillStep(
        stream,
        Step.Kind.BACKFILL_FINAL,
        "compute them again once no late event can come for them any more");
  }

  private static Step backfillStep(StreamPlan stream, Step.Kind kind, String description) {
    return new Step(
        stream.name() + "/" + kind.label(),
        kind,
        description,
        stream.sources().stream()
            .filter(source -> !source.removed())
            .flatMap(source -> source.address().stream())
            .map(Address::text)
            .toList(),
        stream.sink().stream().map(sink -> sink.address().text()).toList(),
        0,
        false);
  }

  private static Step step(
      StreamPlan stream,
      Step.Kind kind,
      String description,
      List<String> reads,
      List<String> writes,
      long bytes) {
    return new Step(
        stream.name() + "/" + kind.label(), kind, description, reads, writes, bytes, true);
  }

  private static List<String> and(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private static String files(int count, long bytes) {
    return count + (count == 1 ? " file, " : " files, ") + bytes + " bytes";
  }
}
