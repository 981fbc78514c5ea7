package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.List;
import java.util.Locale;

/**
 * One step of a stream's migration. Every step may be repeated after a crash and ends in the same
 * bytes.
 *
 * @param id unique in the plan: the stream's name and the kind
 * @param kind what it does
 * @param description what it does, in words with numbers
 * @param reads the places it reads
 * @param writes the places it writes
 * @param bytes how many bytes it writes; for an archive, before compression
 * @param reversible whether removing what it wrote undoes it
 */
@JsonPropertyOrder({"id", "kind", "description", "reads", "writes", "bytes", "reversible"})
public record Step(
    String id,
    Kind kind,
    String description,
    List<String> reads,
    List<String> writes,
    long bytes,
    boolean reversible) {

  /** The kinds of steps, in the order in which a stream goes through them. */
  public enum Kind {
    /** Stops the old query's job, and proves that it has stopped. */
    QUIESCE,
    /** Packs the old checkpoint and verifies the archive. */
    ARCHIVE,
    /** Writes the new checkpoint to a staging place beside its target. */
    WRITE,
    /** Writes the logs of file sinks that moved, rewritten, to staging places beside theirs. */
    SINK_LOG,
    /** Reads the staged files back and compares their checksums. */
    VERIFY,
    /** Gives the staged sink logs their final names. */
    SINK_PUBLISH,
    /** Gives the staged checkpoint its final name, in one move. */
    PUBLISH,
    /** Tells the new query's job its checkpoint, and starts it. */
    CUTOVER,
    /** Sees that the new query goes on where it has to. */
    WATCH,
    /** Computes the windows that the job owns from what was read before the position. */
    BACKFILL,
    /** Computes them again when no late event can come for them any more. */
    BACKFILL_FINAL,
    /** Looks at what the batch left that rebuilds the state, once the new query has run it. */
    REPLAY;

    /** The name in JSON, text and the journal. */
    @JsonValue
    public String label() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
  }

  public Step {
    requireNonNull(id, "id");
    requireNonNull(kind, "kind");
    requireNonNull(description, "description");
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
  }

  /** Whether it comes once the new checkpoint is there. */
  @JsonIgnore
  public boolean isAfterwards() {
    return switch (kind) {
      case BACKFILL, BACKFILL_FINAL, REPLAY, CUTOVER, WATCH -> true;
      case QUIESCE, ARCHIVE, WRITE, SINK_LOG, VERIFY, SINK_PUBLISH, PUBLISH -> false;
    };
  }

  /** Whether it is about a job of a workspace, and not about files. */
  @JsonIgnore
  public boolean isAboutJob() {
    return kind == Kind.QUIESCE || kind == Kind.CUTOVER || kind == Kind.WATCH;
  }
}
