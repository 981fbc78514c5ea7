package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.streammigrator.job.BackfillSpec;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.StreamPlan;

/**
 * Which parts of the sources hold events that an uninterrupted stream would have dropped: those of
 * a window that the job owns and that was closed when they came. A pure computation.
 *
 * <p>A window's state is closed by the watermark of the batch before ({@code
 * PropagateWatermarkSimulator} in Spark, the default since 3.4), and a record is dropped as far as
 * its window ends at or before that. Windows that the job was given beyond the cut are not looked
 * at.
 */
public final class LateEvents {
  private final WindowGrid grid;
  private final Boundary boundary;

  /** Looks at the windows of a boundary. */
  public LateEvents(StreamPlan stream, Boundary boundary) {
    this(WindowGrid.of(stream.backfill().flatMap(BackfillPlan::window).orElseThrow()), boundary);
  }

  LateEvents(WindowGrid grid, Boundary boundary) {
    this.grid = requireNonNull(grid, "grid");
    this.boundary = requireNonNull(boundary, "boundary");
  }

  /**
   * A batch of the new query.
   *
   * @param watermarkMs that of the batch before, milliseconds of the epoch
   * @param before the sources up to where it began; one that had not begun is left out
   * @param upTo the sources up to where it ended
   */
  public record Batch(long watermarkMs, List<SourceSpec> before, List<SourceSpec> upTo) {
    public Batch {
      before = List.copyOf(before);
      upTo = List.copyOf(upTo);
    }
  }

  /** The parts, of batches in order. */
  public List<BackfillSpec.Late> parts(List<Batch> batches) {
    List<BackfillSpec.Late> parts = new ArrayList<>();
    int first = 0;
    for (int i = 0; i < batches.size(); i++) {
      Optional<Instant> closed = closed(batches.get(i).watermarkMs());
      boolean isLast =
          i + 1 == batches.size() || !closed(batches.get(i + 1).watermarkMs()).equals(closed);
      if (isLast) {
        if (closed.isPresent()) {
          parts.addAll(parts(batches.get(first), batches.get(i), closed.get()));
        }
        first = i + 1;
      }
    }
    return parts;
  }

  private static List<BackfillSpec.Late> parts(Batch first, Batch last, Instant closed) {
    List<BackfillSpec.Late> parts = new ArrayList<>();
    for (SourceSpec source : last.upTo()) {
      JsonNode begin =
          first.before().stream()
              .filter(before -> before.name().equals(source.name()))
              .map(SourceSpec::to)
              .findFirst()
              .orElse(null);
      if (!Objects.equals(begin, source.to())) {
        SourceSpec part = source.from(begin);
        // As the stream does: what a commit changes is not new.
        parts.add(
            new BackfillSpec.Late(part.delta() == null ? part : part.changes("skip"), closed));
      }
    }
    return parts;
  }

  /**
   * The event time before which an event lies in a window of the job that a watermark has closed;
   * empty if it has closed none.
   */
  private Optional<Instant> closed(long watermarkMs) {
    if (watermarkMs <= 0) {
      return Optional.empty();
    }
    Instant end = grid.lastClosed(watermarkMs);
    Instant first = boundary.firstWindow();
    if (first != null && end.isBefore(grid.endOf(first))) {
      return Optional.empty();
    }
    Instant last = grid.endBefore(boundary.cut());
    return Optional.of(end.isAfter(last) ? last : end);
  }
}
