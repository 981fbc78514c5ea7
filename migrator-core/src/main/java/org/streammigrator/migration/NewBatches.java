package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** The batches of a new query, beginning with the one that its checkpoint was made with. */
final class NewBatches {
  private final CheckpointReader reader;
  private final Checkpoint checkpoint;
  private final long position;
  private final List<Long> own;
  private final Map<Long, Optional<OffsetLog>> read = new HashMap<>();

  private NewBatches(CheckpointReader reader, Checkpoint checkpoint, long position) {
    this.reader = requireNonNull(reader, "reader");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.position = position;
    TreeSet<Long> committed = new TreeSet<>(checkpoint.offsets().after(position));
    committed.retainAll(checkpoint.commits().batches());
    this.own = new ArrayList<>(committed);
  }

  /**
   * Looks at a new checkpoint.
   *
   * @param position the batch that it was made with
   */
  static NewBatches read(Store store, Location checkpoint, long position) throws IOException {
    CheckpointReader reader = new CheckpointReader(store);
    return new NewBatches(reader, reader.read(checkpoint), position);
  }

  Checkpoint checkpoint() {
    return checkpoint;
  }

  /** The batch that the checkpoint was made with. */
  long position() {
    return position;
  }

  /** The plan of a batch; empty if the checkpoint does not keep it any more. */
  Optional<OffsetLog> plan(long batch) throws IOException {
    Optional<OffsetLog> plan = read.get(batch);
    if (plan == null) {
      plan = reader.offsets(checkpoint.location(), batch).readable();
      read.put(batch, plan);
    }
    return plan;
  }

  /** The watermark of a batch, milliseconds of the epoch; empty if nobody knows it any more. */
  OptionalLong watermarkMs(long batch) throws IOException {
    Optional<OffsetHeader> header = plan(batch).flatMap(OffsetLog::header);
    return header.isPresent()
        ? OptionalLong.of(header.get().batchWatermarkMs())
        : OptionalLong.empty();
  }

  /** How far the query's watermark is; empty if it has committed no batch of its own. */
  Optional<Instant> watermark() throws IOException {
    if (own.isEmpty()) {
      return Optional.empty();
    }
    OptionalLong watermark = watermarkMs(own.get(own.size() - 1));
    return watermark.isPresent()
        ? Optional.of(Instant.ofEpochMilli(watermark.getAsLong()))
        : Optional.empty();
  }

  /**
   * The first batch that the query has planned and committed itself and whose watermark has reached
   * a time. Watermarks never go back.
   */
  OptionalLong firstToReach(Instant time) throws IOException {
    int from = 0;
    int to = own.size();
    while (from < to) {
      int middle = (from + to) >>> 1;
      OptionalLong watermark = watermarkMs(own.get(middle));
      if (watermark.isPresent() && watermark.getAsLong() >= time.toEpochMilli()) {
        to = middle;
      } else {
        from = middle + 1;
      }
    }
    return from == own.size() ? OptionalLong.empty() : OptionalLong.of(own.get(from));
  }
}
