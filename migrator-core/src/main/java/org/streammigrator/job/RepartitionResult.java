package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the repartition job did.
 *
 * @param ok whether the new checkpoint is there, compared and verified; of a dry run, whether
 *     nothing forbids it
 * @param status {@code done}, {@code unchanged} (an earlier run finished it), {@code dry-run},
 *     {@code refused}, {@code locked} or {@code different} (the state was not the same afterwards)
 * @param message the status in a sentence
 * @param from the old checkpoint
 * @param to the new one
 * @param partitionsBefore the partitions of the old state; null if nobody knows
 * @param partitionsAfter the partitions that the new state has, or would have
 * @param batch the batch that the repartition is, one after the last of the query; null if nobody
 *     knows
 * @param stores the rows of every store before and after; empty if they were not read
 * @param files in the new checkpoint; of a dry run, that would be copied; null if nobody knows
 * @param bytes in those files; null if nobody knows
 * @param findings what was noticed
 * @param durationMs wall clock, in milliseconds
 */
@JsonInclude(NON_NULL)
public record RepartitionResult(
    boolean ok,
    String status,
    String message,
    String from,
    String to,
    Integer partitionsBefore,
    int partitionsAfter,
    Long batch,
    List<StoreRows> stores,
    Long files,
    Long bytes,
    List<JsonNode> findings,
    long durationMs)
    implements JobResult {

  /**
   * The rows of one store, over all of its partitions and column families.
   *
   * @param operator the operator's number; Spark counts from the sink
   * @param name as Spark calls the operator, such as {@code stateStoreSave}
   * @param store the store's name, {@code default} where it has none
   * @param rows how many the new state has
   * @param missing rows of the old state that the new one lacks
   * @param extra rows that only the new state has
   * @param misplaced rows of the new state that are not in the partition in which Spark looks for
   *     their key; null if that was not looked at, since texts of the key have a collation
   */
  @JsonInclude(NON_NULL)
  public record StoreRows(
      int operator,
      String name,
      String store,
      long rows,
      long missing,
      long extra,
      Long misplaced) {
    public StoreRows {
      requireNonNull(name, "name");
      requireNonNull(store, "store");
    }

    /** Whether the store holds what it held, and where it belongs. */
    @JsonIgnore
    public boolean isSame() {
      return missing == 0 && extra == 0 && (misplaced == null || misplaced == 0);
    }
  }

  public RepartitionResult {
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    stores = List.copyOf(stores);
    findings = List.copyOf(findings);
  }

  /** The same after so many milliseconds. */
  public RepartitionResult lasting(long millis) {
    return new RepartitionResult(
        ok,
        status,
        message,
        from,
        to,
        partitionsBefore,
        partitionsAfter,
        batch,
        stores,
        files,
        bytes,
        findings,
        millis);
  }

  @Override
  public String job() {
    return RepartitionSpec.JOB;
  }
}
