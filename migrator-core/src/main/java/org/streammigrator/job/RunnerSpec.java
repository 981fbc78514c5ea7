package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.Map;
import org.streammigrator.plan.RunnerRules;

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
 * @param workspace the Databricks workspace by its name; null: that of the environment
 * @param volume a volume, or a directory in one, for jars, specs and results, such as {@code
 *     /Volumes/main/ops/migrator}
 * @param cluster the id of a cluster that is there
 * @param environment the version of the environment of serverless compute, 4 or more
 * @param sparkVersion Databricks' runtime on a new cluster, such as {@code 17.3.x-scala2.13}
 * @param nodeType the machines of a new cluster; null: its policy says
 * @param workers how many workers a new cluster has, 1 or more; null: 1
 * @param policy the id of the policy of a new cluster; null: none
 * @param timeout how long the run may take, such as 6h; null: as long as it takes
 * @param onInterrupt {@code leave} (the default): the run goes on when this program is interrupted;
 *     or {@code cancel}
 */
@JsonInclude(NON_NULL)
public record RunnerSpec(
    @JsonProperty(required = true) String kind,
    String master,
    String sparkHome,
    String jar,
    String memory,
    List<String> arguments,
    Map<String, String> conf,
    String workspace,
    String volume,
    String cluster,
    String environment,
    String sparkVersion,
    String nodeType,
    Integer workers,
    String policy,
    String timeout,
    String onInterrupt) {
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
    RunnerRules.problems(
            String.valueOf(kind),
            Map.ofEntries(
                given("master", master),
                given("sparkHome", sparkHome),
                given("memory", memory),
                given("arguments", arguments.isEmpty() ? null : arguments),
                given("conf", conf.isEmpty() ? null : conf),
                given("workspace", workspace),
                given("volume", volume),
                given("cluster", cluster),
                given("environment", environment),
                given("sparkVersion", sparkVersion),
                given("nodeType", nodeType),
                given("workers", workers),
                given("policy", policy),
                given("timeout", timeout),
                given("onInterrupt", onInterrupt)))
        .forEach(
            problem -> wrong.unless(false, "runner." + problem.key() + " " + problem.message()));
    wrong.raise();
  }

  private static Map.Entry<String, String> given(String key, Object value) {
    return Map.entry(key, value == null ? "" : value.toString());
  }

  /** A runner without settings of Databricks. */
  public RunnerSpec(
      String kind,
      String master,
      String sparkHome,
      String jar,
      String memory,
      List<String> arguments,
      Map<String, String> conf) {
    this(
        kind, master, sparkHome, jar, memory, arguments, conf, null, null, null, null, null, null,
        null, null, null, null);
  }

  /** Whether the job is a run in a Databricks workspace. */
  @JsonIgnore
  public boolean isDatabricks() {
    return kind.equals(DATABRICKS);
  }

  /** Whether an interrupted program asks for the end of the run. */
  @JsonIgnore
  public boolean isCancelledOnInterrupt() {
    return "cancel".equals(onInterrupt);
  }

  /** A runner without settings. */
  public static RunnerSpec of(String kind) {
    return new RunnerSpec(kind, null, null, null, null, null, null);
  }
}
