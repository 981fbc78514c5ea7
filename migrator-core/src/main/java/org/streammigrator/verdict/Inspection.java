package org.streammigrator.verdict;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.StateProvider;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * What a checkpoint holds and whether Spark could restart from it: the JSON of {@code inspect}.
 *
 * @param checkpoint where it is
 * @param queryId the query's id; null if {@code metadata} is missing or damaged
 * @param offsetLogVersion the version of the newest readable plan; null if there is none
 * @param commitLogVersion the version of the newest readable commit; null if there is none
 * @param batches the batches
 * @param watermarkMs the watermark of the last committed batch, else of the last planned one; null
 *     if neither can be read
 * @param nextWatermarkMs the watermark of the next batch; null if it is not known
 * @param windows of the windows that were asked for, the first one that is still open; empty where
 *     the watermark is not known
 * @param conf the settings that a restart takes from the newest plan
 * @param sources the sources, in the order of the log
 * @param state the stateful operators
 * @param files what lies in the directory
 * @param nested the paths of checkpoints below this one
 * @param restartableBy whether a Spark version would restart the same query, as it stands
 * @param findings everything that was noticed
 */
@JsonPropertyOrder({
  "schema",
  "checkpoint",
  "queryId",
  "offsetLogVersion",
  "commitLogVersion",
  "batches",
  "watermarkMs",
  "nextWatermarkMs",
  "windows",
  "conf",
  "sources",
  "state",
  "files",
  "nested",
  "restartable",
  "restartableBy",
  "findings"
})
public record Inspection(
    String checkpoint,
    String queryId,
    Integer offsetLogVersion,
    Integer commitLogVersion,
    Batches batches,
    Long watermarkMs,
    Long nextWatermarkMs,
    List<Window> windows,
    Map<String, String> conf,
    List<Source> sources,
    List<State> state,
    FileTotals files,
    List<String> nested,
    Map<String, Boolean> restartableBy,
    List<Finding> findings) {

  public Inspection {
    windows = List.copyOf(windows);
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(batches, "batches");
    requireNonNull(files, "files");
    conf = Collections.unmodifiableMap(new LinkedHashMap<>(conf));
    sources = List.copyOf(sources);
    state = List.copyOf(state);
    nested = List.copyOf(nested);
    restartableBy = Collections.unmodifiableMap(new LinkedHashMap<>(restartableBy));
    findings = List.copyOf(findings);
  }

  /**
   * The batches.
   *
   * @param lastPlanned the highest number in {@code offsets/}
   * @param lastCommitted the highest number in both logs
   * @param pending every planned batch above the last committed one
   * @param firstRetained the lowest number in {@code offsets/}
   */
  @JsonPropertyOrder({"lastPlanned", "lastCommitted", "pending", "firstRetained"})
  public record Batches(
      Long lastPlanned, Long lastCommitted, List<Long> pending, Long firstRetained) {
    public Batches {
      pending = List.copyOf(pending);
    }
  }

  /**
   * The first window that is still open at the watermark of the last committed batch.
   *
   * @param size its length, such as {@code 5m}
   * @param slide the time from one window's start to the next
   * @param firstOpenStartMs its start, milliseconds since the epoch
   * @param firstOpenEndMs its end, exclusive
   * @param readFromMs the event time from which events can be in open windows; a read of the source
   *     that is to find them all begins earlier than that by the delay with which events arrive
   */
  @JsonPropertyOrder({"size", "slide", "firstOpenStartMs", "firstOpenEndMs", "readFromMs"})
  public record Window(
      String size, String slide, long firstOpenStartMs, long firstOpenEndMs, long readFromMs) {}

  /**
   * A source.
   *
   * @param committed its decoded offset at the end of the last committed batch; null if there is
   *     none
   * @param planned its decoded offset at the end of the last planned batch
   * @param rawCommitted the line that {@code committed} was decoded from
   * @param rawPlanned the line that {@code planned} was decoded from
   * @param consumedThrough {@code committed} in words; null if there is none
   */
  @JsonPropertyOrder({
    "id",
    "type",
    "committed",
    "planned",
    "rawCommitted",
    "rawPlanned",
    "consumedThrough"
  })
  public record Source(
      String id,
      SourceKind type,
      JsonNode committed,
      JsonNode planned,
      String rawCommitted,
      String rawPlanned,
      String consumedThrough) {
    public Source {
      requireNonNull(id, "id");
      requireNonNull(type, "type");
    }
  }

  /**
   * The state of an operator.
   *
   * @param name the operator's name; null before Spark 4.0
   * @param partitions the number of its partition directories
   * @param requiredVersion the version that a restart loads
   * @param loadable whether every partition can build that version
   * @param missing the paths that it lacks, those that are there and damaged included
   * @param deep what reading all bytes of it found; null, and not in the JSON, unless that was
   *     asked for
   */
  @JsonPropertyOrder({
    "operator",
    "name",
    "provider",
    "partitions",
    "stores",
    "requiredVersion",
    "loadable",
    "missing",
    "deep"
  })
  public record State(
      int operator,
      String name,
      StateProvider provider,
      int partitions,
      List<String> stores,
      long requiredVersion,
      boolean loadable,
      List<String> missing,
      @JsonInclude(JsonInclude.Include.NON_NULL) Deep deep) {
    public State {
      stores = List.copyOf(stores);
      missing = List.copyOf(missing);
    }
  }

  /**
   * What reading all bytes of an operator's state found.
   *
   * @param filesRead the files that were read to their end
   * @param bytesRead their bytes
   * @param keys the number of keys in all stores; null where the files do not tell (RocksDB with
   *     changelogs), where one of them is damaged, or beyond a million keys in one store
   * @param damaged the files that Spark cannot use
   */
  @JsonPropertyOrder({"filesRead", "bytesRead", "keys", "damaged"})
  public record Deep(long filesRead, long bytesRead, Long keys, List<Damaged> damaged) {
    public Deep {
      damaged = List.copyOf(damaged);
    }
  }

  /** A damaged file. */
  @JsonPropertyOrder({"path", "reason"})
  public record Damaged(String path, String reason) {}

  /**
   * What lies in the directory.
   *
   * @param count all regular files, hidden ones and those of nested checkpoints too
   * @param liveCount the files that a restart needs
   */
  @JsonPropertyOrder({"count", "bytes", "liveCount", "liveBytes"})
  public record FileTotals(long count, long bytes, long liveCount, long liveBytes) {}

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/inspect/1";
  }

  /** Whether Spark 4.2 would restart the same query from it, as it stands. */
  @JsonProperty
  public boolean restartable() {
    return restartableBy.get(Restart.NEWEST);
  }

  /** Whether the directory is a checkpoint at all. */
  @JsonIgnore
  public boolean isCheckpoint() {
    return findings.stream().noneMatch(finding -> finding.code() == FindingCode.NOT_A_CHECKPOINT);
  }
}
