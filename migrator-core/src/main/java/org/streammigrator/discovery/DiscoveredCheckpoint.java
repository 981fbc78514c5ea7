package org.streammigrator.discovery;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.Severity;
import org.streammigrator.verdict.Inspection;

/**
 * A checkpoint that was found.
 *
 * @param path where it is
 * @param relative its path below the root of the search; {@code .} for the root itself
 * @param inside the {@code relative} of the checkpoint around it; null if there is none
 * @param queryId the query's id; null if {@code metadata} is missing or damaged
 * @param sources the sources, in the order of the log
 * @param batches the batches, as {@code inspect} gives them
 * @param watermarkMs the watermark of the last committed batch, milliseconds since the epoch; null
 *     if it is not known
 * @param lastCommitMs when the newest commit file was written, milliseconds since the epoch; null
 *     if there is none
 * @param ageMs milliseconds from then until now, 0 or more; without a commit file from when the
 *     newest file seen was written
 * @param stateful whether there is a directory {@code state}; it is not looked into
 * @param logFiles how many files were seen: those directly in the checkpoint, in its logs, and in
 *     its sources' own directories (without Auto Loader's {@code rocksdb})
 * @param logBytes how many bytes these have
 * @param allFiles how many files there are in all, state and nested checkpoints included; null
 *     unless they were asked for
 * @param allBytes how many bytes these have; null unless they were asked for
 * @param restartable whether Spark 4.2 would restart the same query from it; the state is looked at
 *     only if all was asked for
 * @param health the worst of what was found
 * @param findings everything that was noticed
 */
@JsonPropertyOrder({
  "path",
  "relative",
  "inside",
  "queryId",
  "sources",
  "batches",
  "watermarkMs",
  "lastCommitMs",
  "ageMs",
  "stateful",
  "logFiles",
  "logBytes",
  "allFiles",
  "allBytes",
  "restartable",
  "health",
  "findings"
})
public record DiscoveredCheckpoint(
    String path,
    String relative,
    String inside,
    String queryId,
    List<Source> sources,
    Inspection.Batches batches,
    Long watermarkMs,
    Long lastCommitMs,
    long ageMs,
    boolean stateful,
    long logFiles,
    long logBytes,
    Long allFiles,
    Long allBytes,
    boolean restartable,
    Health health,
    List<Finding> findings) {

  public DiscoveredCheckpoint {
    requireNonNull(path, "path");
    requireNonNull(relative, "relative");
    requireNonNull(batches, "batches");
    requireNonNull(health, "health");
    sources = List.copyOf(sources);
    findings = List.copyOf(findings);
  }

  /**
   * A source.
   *
   * @param id its position or name in the log
   * @param type its kind
   * @param position its decoded offset at the end of the last committed batch; null if there is
   *     none
   * @param consumedThrough {@code position} in words; null if there is none
   * @param lag how far it is behind what the facts say there is; null where they do not say
   */
  @JsonPropertyOrder({"id", "type", "position", "consumedThrough", "lag"})
  public record Source(
      String id, SourceKind type, JsonNode position, String consumedThrough, Lag lag) {
    public Source {
      requireNonNull(id, "id");
      requireNonNull(type, "type");
    }
  }

  /**
   * How far a source is behind.
   *
   * @param amount how many, 0 or more
   * @param unit {@code versions} of a table or {@code records} of topics
   */
  @JsonPropertyOrder({"amount", "unit"})
  public record Lag(long amount, String unit) {
    public Lag {
      requireNonNull(unit, "unit");
    }
  }

  /** The same, lying inside another one. */
  DiscoveredCheckpoint inside(Optional<String> around) {
    return around.isEmpty()
        ? this
        : new DiscoveredCheckpoint(
            path,
            relative,
            around.get(),
            queryId,
            sources,
            batches,
            watermarkMs,
            lastCommitMs,
            ageMs,
            stateful,
            logFiles,
            logBytes,
            allFiles,
            allBytes,
            restartable,
            health,
            findings);
  }

  /** The last name of the path, which a checkpoint is mostly called by. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The kinds of its sources, each once, in the order of the log. */
  public List<String> kinds() {
    return sources.stream().map(source -> source.type().label()).distinct().toList();
  }

  /** The codes of the findings of the worst severity; none if nothing is worse than info. */
  public List<String> worstCodes() {
    for (Severity severity : List.of(Severity.ERROR, Severity.WARNING)) {
      List<String> codes =
          findings.stream()
              .filter(finding -> finding.severity() == severity)
              .map(finding -> finding.code().name())
              .distinct()
              .toList();
      if (!codes.isEmpty()) {
        return codes;
      }
    }
    return List.of();
  }
}
