package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the dedup job did, or of a dry run would do.
 *
 * @param ok true: a job that cannot do what was asked says so as {@link RefusedResult}
 * @param status {@code done}, {@code unchanged} (there was nothing to do, or an earlier run did
 *     it), {@code dry-run} or {@code undone}
 * @param message the status in a sentence
 * @param duplicateKeys keys that had rows too many
 * @param rowsRemoved rows that are gone
 * @param rowsRestored rows that an undo put back; null: this was none
 * @param tiedKeys keys whose survivor the declared order did not decide, so that a comparison of
 *     all columns did
 * @param filesRewritten data files that were replaced, or whose rows were marked as deleted
 * @param bytesRewritten bytes of the data files and of the deletion vectors that were written; of a
 *     dry run an estimate: the files as they are, or the bare deletion vectors
 * @param versionBefore the table's version that was looked at; null: an earlier run did all, and
 *     what it wrote down is not retained any more
 * @param versionAfter the version without the duplicates; null likewise
 * @param sample up to five of the keys, with their counts
 * @param durationMs wall clock, in milliseconds
 */
@JsonInclude(NON_NULL)
public record DedupResult(
    boolean ok,
    String status,
    String message,
    long duplicateKeys,
    long rowsRemoved,
    Long rowsRestored,
    long tiedKeys,
    long filesRewritten,
    long bytesRewritten,
    Long versionBefore,
    Long versionAfter,
    List<Sample> sample,
    long durationMs)
    implements JobResult {

  /**
   * A key that had rows too many.
   *
   * @param key the key columns with their values
   * @param rows its rows among those that were looked at
   * @param removed how many of them are gone
   */
  public record Sample(JsonNode key, long rows, long removed) {
    public Sample {
      requireNonNull(key, "key");
    }
  }

  public DedupResult {
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    sample = List.copyOf(sample);
  }

  @Override
  public String job() {
    return DedupSpec.JOB;
  }
}
