package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.ValidateResult;

/**
 * The ledger of a plan after the restart: what was processed at the old place, what at the new one,
 * that the two meet, and that the sink holds every record once.
 *
 * @param plan the plan's name
 * @param streams the streams' proofs
 */
@JsonPropertyOrder({"schema", "plan", "ok", "streams"})
public record Proof(String plan, List<StreamProof> streams) {

  public Proof {
    requireNonNull(plan, "plan");
    streams = List.copyOf(streams);
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/prove/1";
  }

  /** Whether every stream is proved. */
  @JsonProperty
  public boolean ok() {
    return streams.stream().allMatch(StreamProof::ok);
  }

  /**
   * How the old and the new checkpoint meet at one source.
   *
   * @param source the source's id in the old checkpoint
   * @param type its kind
   * @param oldBatches the batches of the old checkpoint that are still retained, up to the cut
   * @param oldThrough what the old query read last, in words
   * @param newBatches the batches that the new checkpoint ran after the cut
   * @param newThrough what the new query has read last, in words
   * @param meets {@code yes}, {@code no}, or {@code unknown} if the log was purged meanwhile
   */
  @JsonPropertyOrder({
    "source",
    "type",
    "oldBatches",
    "oldThrough",
    "newBatches",
    "newThrough",
    "meets"
  })
  public record Line(
      String source,
      String type,
      String oldBatches,
      String oldThrough,
      String newBatches,
      String newThrough,
      String meets) {}

  /**
   * The proof of one stream.
   *
   * @param name the stream's name
   * @param ledger a line for each source
   * @param rows how the sink compares with the source; null if the plan asks for no comparison
   * @param waitingFor what has to happen outside first; null if nothing
   * @param findings what speaks against it, or should be known
   */
  @JsonPropertyOrder({"name", "ok", "ledger", "rows", "waitingFor", "findings"})
  public record StreamProof(
      String name,
      List<Line> ledger,
      ValidateResult rows,
      String waitingFor,
      List<Finding> findings) {

    public StreamProof {
      requireNonNull(name, "name");
      ledger = List.copyOf(ledger);
      findings = List.copyOf(findings);
    }

    /** Whether nothing speaks against it and nothing is awaited. */
    @JsonProperty
    public boolean ok() {
      return waitingFor == null && !Finding.anyError(findings);
    }
  }
}
