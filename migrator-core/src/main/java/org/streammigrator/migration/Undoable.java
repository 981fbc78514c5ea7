package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.Copies;
import org.streammigrator.copy.Damage;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Verification;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.ReplaySink;
import org.streammigrator.plan.SinkKind;
import org.streammigrator.plan.SinkPlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/**
 * Whether a published checkpoint may be removed: it is what was written, and no query ran there.
 */
final class Undoable {
  private final Store store;

  Undoable(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** What speaks against removing it; empty if it is exactly what was published. */
  List<Finding> check(
      StreamPlan stream,
      JsonNode resolved,
      Location to,
      Manifest manifest,
      Set<FindingCode> accepted)
      throws IOException {
    List<Finding> ran = batches(stream, resolved, to, manifest, accepted);
    if (!ran.isEmpty()) {
      return ran;
    }
    Verification verification = Copies.verify(store, to, manifest);
    if (verification.ok()) {
      return List.of();
    }
    Damage first = verification.damage().get(0);
    return List.of(
        Finding.error(
            FindingCode.TARGET_NOT_AS_WRITTEN,
            to.toString(),
            "it is not what this plan published, and no batch of a query explains that: "
                + first.path()
                + ": "
                + first.message(),
            "look at it; move away what is not of this plan, or move the directory away yourself"));
  }

  /** What it means that the new query has run; empty if it has not. Reads the logs alone. */
  List<Finding> batches(
      StreamPlan stream,
      JsonNode resolved,
      Location to,
      Manifest manifest,
      Set<FindingCode> accepted)
      throws IOException {
    Checkpoint now = new CheckpointReader(store).read(to);
    long written = newest(manifest, "offsets/");
    long committed = newest(manifest, "commits/");
    if (isScratchBatch(stream, resolved, now, written)) {
      return List.of(
          Finding.info(
              FindingCode.NEW_BATCHES_LOST,
              to.toString(),
              "the new query ran batch "
                  + written
                  + " alone, which rebuilds the state and whose output went elsewhere: nothing of it"
                  + " is in the query's own sink, so that nothing is lost",
              "nothing to do"));
    }
    if (now.lastPlanned().orElse(-1) > written || now.lastCommitted().orElse(-1) > committed) {
      return ran(stream, resolved, to, committed + 1, now, accepted);
    }
    return List.of();
  }

  /**
   * Whether the one batch that ran is that of a replay whose output goes elsewhere, and every sink
   * surely lacks it all the same: one that has it would skip the old query's batch of this number.
   */
  private boolean isScratchBatch(
      StreamPlan stream, JsonNode resolved, Checkpoint now, long written) {
    return stream.strategy() == Strategy.REPLAY
        && resolved.path("replaySink").asText().equals(ReplaySink.SCRATCH.name())
        && now.lastPlanned().orElse(-1) == written
        && now.lastCommitted().orElse(-1) == written
        && !stream.sink().isEmpty()
        && stream.sink().stream().allMatch(sink -> surelyLacks(sink, resolved, written));
  }

  private boolean surelyLacks(SinkPlan sink, JsonNode resolved, long batch) {
    if (sink.address().kind() == SinkKind.KAFKA) {
      // It skips nothing.
      return true;
    }
    try {
      return SinkSurvey.keyedByBatch(sink)
          && (sink.address().kind() == SinkKind.FILES
                      ? new FileSinks(store).lastBatch(sink.address().location().orElseThrow())
                      : record(sink, resolved))
                  .orElse(-1)
              < batch;
    } catch (IOException unreadable) {
      return false;
    }
  }

  /** The newest batch that a table knows; empty if it knows none. */
  private OptionalLong record(SinkPlan sink, JsonNode resolved) throws IOException {
    return new DeltaTables(store)
        .lastTransaction(
            sink.address().location().orElseThrow(),
            sink.txnAppId().orElse(resolved.path("queryId").asText()));
  }

  /** The newest batch of a log by the manifest; -1 if none. */
  static long newest(Manifest manifest, String log) {
    return manifest.files().stream()
        .map(file -> file.path())
        .filter(path -> path.startsWith(log))
        .map(path -> path.substring(log.length()))
        .filter(name -> name.matches("[0-9]{1,18}"))
        .mapToLong(Long::parseLong)
        .max()
        .orElse(-1);
  }

  private List<Finding> ran(
      StreamPlan stream,
      JsonNode resolved,
      Location to,
      long first,
      Checkpoint now,
      Set<FindingCode> accepted)
      throws IOException {
    long last = Math.max(now.lastPlanned().orElse(-1), now.lastCommitted().orElse(-1));
    String message =
        "the new query ran: its batches "
            + first
            + " to "
            + last
            + " are in no other checkpoint. The old query would "
            + (stream.strategy() == Strategy.REWIND
                ? "go on where it stood, and read again what they read beyond that; "
                : "read them again, and ")
            + sinks(stream, resolved, first);
    String remedy =
        "use rollback --forward, which starts the old code where the new one stands; or take it"
            + " knowingly with --accept NEW_BATCHES_LOST";
    return List.of(
        accepted.contains(FindingCode.NEW_BATCHES_LOST)
            ? Finding.warning(
                FindingCode.NEW_BATCHES_LOST, to.toString(), message + " (accepted)", remedy)
            : Finding.error(FindingCode.NEW_BATCHES_LOST, to.toString(), message, remedy));
  }

  private String sinks(StreamPlan stream, JsonNode resolved, long first) {
    boolean sameId =
        stream.identity().isEmpty()
            || stream.identity().get() == org.streammigrator.plan.Identity.KEEP;
    List<String> effects = new ArrayList<>();
    for (SinkPlan sink : stream.sink()) {
      if (sink.address().kind() == SinkKind.DELTA && SinkSurvey.keyedByBatch(sink)) {
        OptionalLong record = OptionalLong.empty();
        try {
          record = record(sink, resolved);
        } catch (IOException unreadable) {
          // It is said below that its record is not known.
        }
        if ((sameId || sink.txnAppId().isPresent()) && record.orElse(-1) >= first) {
          effects.add(
              sink.address().text()
                  + " would skip its batches "
                  + first
                  + " to "
                  + record.getAsLong()
                  + ", with whatever new rows they hold then");
          continue;
        }
      }
      effects.add(sink.address().text() + " would get their rows once more");
    }
    return effects.isEmpty()
        ? "its sink, which the plan does not name, would skip them or get them once more"
        : String.join("; ", effects);
  }
}
