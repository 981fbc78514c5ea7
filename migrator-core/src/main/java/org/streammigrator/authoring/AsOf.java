package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Overlay;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A checkpoint as it was when one of its batches R had been committed; the checkpoint itself is
 * only read.
 *
 * <p>Not there are the plans and commits above R, the state above version R + 1 ({@link
 * LaterNames}), and what sources had not noted for themselves yet ({@link LaterNotes}). Where the
 * plan of R - 1 is gone, which every restart reads, a copy of that of R stands in its place: Spark
 * asks the sources again for the range between the two, and between copies there is none.
 */
public final class AsOf {
  private final Checkpoint checkpoint;
  private final Overlay overlay;
  private final long batch;
  private final boolean isPredecessorMade;
  private final Set<String> misleading;

  private AsOf(
      Checkpoint checkpoint,
      Overlay overlay,
      long batch,
      boolean isPredecessorMade,
      Set<String> misleading) {
    this.checkpoint = checkpoint;
    this.overlay = overlay;
    this.batch = batch;
    this.isPredecessorMade = isPredecessorMade;
    this.misleading = misleading;
  }

  /**
   * Looks at a checkpoint as of a batch.
   *
   * @param whole the checkpoint as it is
   * @param positions decodes its lines
   * @param batch one without a {@link #problem}
   * @throws IOException if storage fails
   */
  public static AsOf of(Store store, Checkpoint whole, ResumePositions positions, long batch)
      throws IOException {
    requireNonNull(store, "store");
    Location root = whole.location();
    LaterNotes notes = new LaterNotes(store, whole, positions);
    for (CheckpointFile file : whole.files()) {
      if (LaterNames.isLater(file.path(), batch)) {
        notes.hide(file.path());
      }
    }
    CheckpointReader reader = new CheckpointReader(store);
    Optional<OffsetLog> plan = reader.offsets(root, batch).readable();
    Optional<OffsetLog> before =
        batch == 0 ? Optional.empty() : reader.offsets(root, batch - 1).readable();
    boolean isPredecessorMade = batch > 0 && plan.isPresent() && before.isEmpty();
    if (plan.isPresent()) {
      notes.cut(plan.get(), before);
    }
    if (isPredecessorMade) {
      byte[] bytes = plan.get().bytes();
      CheckpointFile own = whole.entry("offsets/" + batch).orElseThrow();
      Location place = root.child("offsets/" + (batch - 1));
      notes.hide("offsets/." + (batch - 1) + ".crc");
      notes.make(
          new StoreEntry(place, StoreEntry.Kind.FILE, bytes.length, own.modified()),
          below -> new ByteArrayInputStream(bytes));
    }
    Overlay overlay = notes.overlay();
    return new AsOf(
        new CheckpointReader(overlay.over(store)).read(root),
        overlay,
        batch,
        isPredecessorMade,
        notes.misleading());
  }

  /** The checkpoint as it was. */
  public Checkpoint checkpoint() {
    return checkpoint;
  }

  /** How the store has to be looked at to see it. */
  public Overlay overlay() {
    return overlay;
  }

  /** R, which is the last planned and the last committed batch of {@link #checkpoint}. */
  public long batch() {
    return batch;
  }

  /**
   * The paths of files in which sources noted what came later, and which a start of the checkpoint
   * as of the batch would go by if they were there.
   */
  public Set<String> misleading() {
    return Collections.unmodifiableSet(misleading);
  }

  /** Whether the plan before the batch's is a copy of it, since it is gone. */
  boolean isPredecessorMade() {
    return isPredecessorMade;
  }

  /** Whether a file of {@link #checkpoint} is not one of the old checkpoint. */
  boolean isMade(String path) {
    return overlay.made().containsKey(checkpoint.location().child(path));
  }

  /** Why one cannot go back to a batch of a checkpoint; empty if one can, by its logs' names. */
  public static Optional<Finding> problem(Checkpoint whole, long batch) {
    TreeSet<Long> retained = new TreeSet<>(whole.offsets().batches());
    retained.retainAll(whole.commits().batches());
    long newest = Math.max(whole.lastPlanned().orElse(-1), whole.commits().newest().orElse(-1));
    if (retained.isEmpty()) {
      return Optional.of(
          Finding.error(
              FindingCode.NO_COMMITTED_BATCH,
              "commits",
              "no batch is committed and still has its plan, so that there is none to go back to",
              "look whether an archive of the checkpoint has one"));
    }
    TreeSet<Long> earlier = new TreeSet<>(retained.headSet(newest));
    String which =
        earlier.isEmpty()
            ? "there is no earlier one that is retained"
            : "go back to one that is retained: " + ranges(earlier);
    if (retained.contains(batch)) {
      return newest > batch
          ? Optional.empty()
          : Optional.of(
              Finding.error(
                  FindingCode.NOTHING_TO_REWIND,
                  "offsets/" + batch,
                  "batch "
                      + batch
                      + " is the newest that was planned and is committed: the query stands there,"
                      + " and nothing is to be taken back",
                  "relocate the checkpoint, or " + which));
    }
    if (batch > retained.last()) {
      return Optional.of(
          Finding.error(
              FindingCode.BATCH_NOT_COMMITTED,
              whole.offsets().batches().contains(batch) ? "offsets/" + batch : "batch",
              whole.offsets().batches().contains(batch)
                  ? "batch " + batch + " is planned and not committed: it has no end to go back to"
                  : "there is no committed batch "
                      + batch
                      + ": the newest that is committed and has its plan is "
                      + retained.last(),
              which));
    }
    List<String> gone = new ArrayList<>();
    if (!whole.offsets().batches().contains(batch)) {
      gone.add("offsets/" + batch);
    }
    if (!whole.commits().batches().contains(batch)) {
      gone.add("commits/" + batch);
    }
    return Optional.of(
        Finding.error(
            FindingCode.BATCH_NOT_RETAINED,
            gone.get(0),
            "batch "
                + batch
                + " is not retained: "
                + String.join(" and ", gone)
                + (gone.size() == 1 ? " is" : " are")
                + " not there (Spark keeps the last 100 batches,"
                + " spark.sql.streaming.minBatchesToRetain)",
            which + "; or restore an archive of that time with restore --batch " + batch));
  }

  /** Numbers as ranges, the newest last: {@code 0..7, 9, 12..40}; of many only the last ones. */
  static String ranges(TreeSet<Long> numbers) {
    List<String> ranges = new ArrayList<>();
    long first = numbers.first();
    long last = first;
    for (long number : numbers) {
      if (number > last + 1) {
        ranges.add(range(first, last));
        first = number;
      }
      last = number;
    }
    ranges.add(range(first, last));
    int skipped = Math.max(0, ranges.size() - 5);
    return (skipped == 0 ? "" : "…, ") + String.join(", ", ranges.subList(skipped, ranges.size()));
  }

  private static String range(long first, long last) {
    return first == last ? Long.toString(first) : first + ".." + last;
  }
}
