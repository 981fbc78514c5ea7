package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;

/**
 * Where a job runs, with the keys of a plan's {@code runner}.
 *
 * @param kind {@code local}, {@code spark-submit} or {@code databricks}
 * @param master the Spark master; null: for local all processors of this machine, for spark-submit
 *     what its settings say
 * @param sparkHome the Spark installation; null: {@code SPARK_HOME}, or the spark-submit on the
 *     PATH
 * @param jar the jobs' jar, where spark-submit can read it, with all they need; null: those that
 *     came with this program
 * @param memory the driver's memory, such as 4g; null: Java's or Spark's default
 * @param arguments further arguments of spark-submit
 * @param conf Spark settings; they are shown in Spark's user interface, so that no secret is
 *     allowed here
 */
@JsonInclude(NON_NULL)
public record RunnerSpec(
    @JsonProperty(required = true) String kind,
    String master,
    String sparkHome,
    String jar,
    String memory,
    List<String> arguments,
    Map<String, String> conf) {
  /** In a JVM on this machine. */
  public static final String LOCAL = "local";

  /** Through spark-submit. */
  public static final String SPARK_SUBMIT = "spark-submit";

  /** As a run in a Databricks workspace. */
  public static final String DATABRICKS = "databricks";

  private static final List<String> KINDS = List.of(LOCAL, SPARK_SUBMIT, DATABRICKS);

  public RunnerSpec {
    SpecProblems wrong = new SpecProblems();
    wrong.unless(
        KINDS.contains(kind), "runner.kind: '" + kind + "' is none of " + String.join(", ", KINDS));
    wrong.unless(
        memory == null || memory.matches("[0-9]{1,9}[kmgtKMGT]"),
        "runner.memory: '" + memory + "' is no amount such as 4g");
    arguments = arguments == null ? List.of() : List.copyOf(arguments);
    conf = conf == null ? Map.of() : Map.copyOf(conf);
    conf.forEach(
        (key, value) ->
            wrong.unless(
                !value.contains("${"),
                "runner.conf."
                    + key
                    + ": nothing is put in here, since Spark shows its settings; put a secret into"
                    + " spark-defaults.conf, or into storage"));
    wrong.raise();
  }

  /** A runner without settings. */
  public static RunnerSpec of(String kind) {
    return new RunnerSpec(kind, null, null, null, null, null, null);
  }
}
