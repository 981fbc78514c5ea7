package org.streammigrator.compatibility;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.finding.Finding;

/**
 * The verdict on a changed query: the JSON of {@code check}.
 *
 * @param checkpoint the old query's checkpoint
 * @param against the new query's checkpoint, if the changes come from comparing with it; else null
 * @param spark the Spark version that the verdicts are for
 * @param verdict {@code compatible} if all changes are, else {@code incompatible}
 * @param strategy the cheapest way that serves all changes
 * @param changes the changes, in the order they were declared; those found by comparing follow
 * @param findings what stands against the changes, and what to look at
 */
@JsonPropertyOrder({
  "schema",
  "checkpoint",
  "against",
  "spark",
  "verdict",
  "strategy",
  "changes",
  "findings"
})
public record CheckResult(
    String checkpoint,
    String against,
    String spark,
    String verdict,
    Way strategy,
    List<Change> changes,
    List<Finding> findings) {

  public CheckResult {
    requireNonNull(checkpoint, "checkpoint");
    requireNonNull(spark, "spark");
    requireNonNull(verdict, "verdict");
    requireNonNull(strategy, "strategy");
    changes = List.copyOf(changes);
    findings = List.copyOf(findings);
  }

  /**
   * The verdict on one change.
   *
   * @param kind the kind of change
   * @param subject what it is about: a source, an operator, a setting; empty for the query
   * @param detail the change in words, where it was told
   * @param rule the name of the rule that decided
   * @param verdict {@code compatible} or {@code incompatible}
   * @param effect what happens on a restart
   * @param byVersion the verdict for each Spark version
   * @param guide what Spark's guide says
   * @param enforced what Spark really checks or does
   * @param consequence what that means
   * @param strategy the cheapest way to bring the change about
   */
  @JsonPropertyOrder({
    "kind",
    "subject",
    "detail",
    "rule",
    "verdict",
    "effect",
    "byVersion",
    "guide",
    "enforced",
    "consequence",
    "strategy"
  })
  public record Change(
      String kind,
      String subject,
      String detail,
      String rule,
      String verdict,
      Effect effect,
      Map<String, String> byVersion,
      String guide,
      String enforced,
      String consequence,
      Way strategy) {
    public Change {
      byVersion = Collections.unmodifiableMap(new LinkedHashMap<>(byVersion));
    }

    /** Whether the checkpoint can be kept. */
    public boolean compatible() {
      return effect.compatible();
    }
  }

  /** The version of this record's JSON. */
  @JsonProperty
  public String schema() {
    return "migrator/check/1";
  }

  /** Whether the checkpoint can be kept. */
  public boolean compatible() {
    return changes.stream().allMatch(Change::compatible);
  }
}
