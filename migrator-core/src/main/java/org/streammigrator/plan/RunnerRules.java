package org.streammigrator.plan;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.finding.DurationText;

/** What goes together in a {@code runner}, in a plan and in the spec of a job. */
public final class RunnerRules {
  private static final List<String> DATABRICKS_ONLY =
      List.of(
          "workspace",
          "volume",
          "cluster",
          "environment",
          "sparkVersion",
          "nodeType",
          "workers",
          "policy",
          "timeout",
          "onInterrupt");
  private static final List<String> NEVER_ON_DATABRICKS =
      List.of("master", "sparkHome", "memory", "arguments");
  private static final List<String> NEW_CLUSTER_ONLY =
      List.of("nodeType", "workers", "policy", "conf");

  /** Serverless compute runs jars of Scala 2.13 and Java 17 from this environment on. */
  private static final int FIRST_ENVIRONMENT = 4;

  private static final Duration LONGEST = Duration.ofDays(365);
  private static final int LONGEST_TEXT = 10;

  private final Map<String, String> given;
  private final List<Problem> found = new ArrayList<>();

  private RunnerRules(Map<String, String> given) {
    this.given = given;
  }

  /**
   * What is wrong.
   *
   * @param key the key that it is about; one that is missing stands here too
   * @param message what is wrong, and what to do
   */
  public record Problem(String key, String message) {}

  /**
   * Finds what is wrong with a runner.
   *
   * @param kind one of the labels of {@link RunnerKind}; of another nothing is found
   * @param given the values of its other keys as text; blank: not given
   */
  public static List<Problem> problems(String kind, Map<String, String> given) {
    RunnerRules rules = new RunnerRules(Map.copyOf(given));
    if (kind.equals(RunnerKind.DATABRICKS.label())) {
      rules.databricks();
    } else {
      for (String key : DATABRICKS_ONLY) {
        rules.unless(!rules.has(key), key, "does nothing with " + kind + "; remove it");
      }
    }
    return List.copyOf(rules.found);
  }

  private void databricks() {
    for (String key : NEVER_ON_DATABRICKS) {
      unless(
          !has(key),
          key,
          "does nothing with databricks, whose cluster says what it has; remove it");
    }
    unless(
        has("volume"),
        "volume",
        "is missing: jars, specs and results go to a volume, such as /Volumes/main/ops/migrator");
    unless(
        !has("volume")
            || text("volume").matches("(dbfs:)?/Volumes/[^/\\s]+/[^/\\s]+/[^/\\s]+(/[^\\s]*)?"),
        "volume",
        "is no volume such as /Volumes/CATALOG/SCHEMA/VOLUME, or a directory below one, without"
            + " spaces");
    compute();
    unless(
        !has("timeout")
            || text("timeout").length() <= LONGEST_TEXT
                && DurationText.parse(text("timeout"))
                    .filter(limit -> limit.toSeconds() > 0 && limit.compareTo(LONGEST) <= 0)
                    .isPresent(),
        "timeout",
        "is no length of time such as 6h, of a second to 365 days");
    unless(
        !has("onInterrupt") || List.of("leave", "cancel").contains(text("onInterrupt")),
        "onInterrupt",
        "is neither leave nor cancel");
  }

  private void compute() {
    List<String> computes =
        List.of("cluster", "environment", "sparkVersion").stream().filter(this::has).toList();
    if (computes.size() != 1) {
      found.add(
          new Problem(
              computes.isEmpty() ? "cluster" : computes.get(1),
              (computes.isEmpty() ? "is missing" : "is too much")
                  + ": give one of cluster (one that is there), sparkVersion (a new one) and"
                  + " environment (serverless)"));
      return;
    }
    boolean isNew = has("sparkVersion");
    for (String key : NEW_CLUSTER_ONLY) {
      unless(isNew || !has(key), key, "is for a new cluster (sparkVersion) only; remove it");
    }
    unless(
        !isNew || has("nodeType") || has("policy"),
        "nodeType",
        "is missing: a new cluster needs nodeType, or a policy that has one");
    unless(
        !has("workers") || text("workers").matches("[1-9][0-9]{0,4}"),
        "workers",
        "is no number from 1 to 99999");
    unless(
        !has("environment")
            || text("environment").matches("[0-9]{1,3}")
                && Integer.parseInt(text("environment")) >= FIRST_ENVIRONMENT,
        "environment",
        "is no version of an environment of serverless compute, from " + FIRST_ENVIRONMENT + " on");
  }

  /**
   * Why a job cannot run on serverless compute, which has the public interface of Spark only.
   *
   * @param job the job's name
   */
  public static Optional<String> notServerless(String job) {
    return switch (job) {
      case "state", "copy", "dedup", "repartition" ->
          Optional.of(
              "the job "
                  + job
                  + " needs Spark's own classes, which serverless compute does not have; give it a"
                  + " cluster (cluster or sparkVersion instead of environment)");
      default -> Optional.empty();
    };
  }

  private boolean has(String key) {
    return !text(key).isBlank();
  }

  private String text(String key) {
    return given.getOrDefault(key, "");
  }

  private void unless(boolean holds, String key, String message) {
    if (!holds) {
      found.add(new Problem(key, message));
    }
  }
}
