package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.Verification;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Writes the logs of file sinks that moved: staged beside their new place, as checkpoints are, and
 * named in one move before the new checkpoint is. Every call may be repeated after a crash.
 */
final class SinkLogs {
  private final Store store;
  private final Journal journal;
  private final CheckpointWriter writer;
  private final Map<Location, CheckpointWriter.Staged> staged = new HashMap<>();

  SinkLogs(Store store, Journal journal, CheckpointWriter writer) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
    this.writer = requireNonNull(writer, "writer");
  }

  /** Writes the logs to their staging places. */
  String stage(StreamPlan stream, List<SinkMove> moves) throws IOException {
    long files = 0;
    long bytes = 0;
    for (SinkMove move : moves) {
      CheckpointWriter.Staged written = writer.stage(move.oldLog(), move.draft(), move.newLog());
      staged.put(move.newLog(), written);
      Manifest manifest = written.manifest();
      journal.append(
          Journal.entry("sink-staged", stream.name())
              .put("from", move.oldLog().toString())
              .put("to", move.newLog().toString())
              .put("fingerprint", manifest.fingerprint()));
      files += manifest.files().size();
      bytes += manifest.bytes();
    }
    return files + " files, " + bytes + " bytes";
  }

  /** Compares what is staged with what was written. */
  Verification verify(SinkMove move) throws IOException {
    return writer.verify(staged.get(move.newLog()));
  }

  /** Gives the logs their names; one that has its name already is not staged any more. */
  String publish(List<SinkMove> moves) throws IOException {
    for (SinkMove move : moves) {
      if (!store.traits(move.newLog()).publishes()
          || store.stat(CheckpointWriter.stagingFor(move.newLog())).isPresent()) {
        writer.publish(staged.get(move.newLog()), move.newLog());
      }
    }
    return moves.stream().map(move -> move.newLog().toString()).collect(Collectors.joining(", "));
  }

  /** Whether the old log is still what the survey saw. */
  boolean isAsSurveyed(SinkMove move) throws IOException {
    return store.stat(move.oldLog()).filter(StoreEntry::isDirectory).isPresent()
        && Checkpoint.fingerprint(new CheckpointReader(store).list(move.oldLog()))
            .equals(move.fingerprint());
  }
}
