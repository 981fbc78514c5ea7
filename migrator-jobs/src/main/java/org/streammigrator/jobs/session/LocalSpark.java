package org.streammigrator.jobs.session;

import static java.util.Objects.requireNonNull;

import java.util.Map;
import org.apache.spark.sql.SparkSession;

/**
 * Makes Spark sessions with Delta, as the jobs and the demo need them: session time zone UTC, no
 * user interface, nothing on stdout or stderr. Where Spark was started by something else
 * (spark-submit, a notebook), its master and its logging are left alone.
 *
 * <p>Spark's warnings go to the file that the system property {@value #LOG_FILE} names, or nowhere.
 */
public final class LocalSpark {
  /** System property: the file for Spark's warnings and errors; without it they are dropped. */
  public static final String LOG_FILE = "migrator.spark.log";

  private static final String MASTER = "spark.master";
  private static final String LOG_CONFIGURATION = "log4j2.configurationFile";

  /** What makes small jobs fast, and nothing that changes a result. */
  private static final Map<String, String> SMALL_AND_LOCAL =
      Map.ofEntries(
          Map.entry("spark.ui.enabled", "false"),
          Map.entry("spark.ui.showConsoleProgress", "false"),
          Map.entry("spark.driver.host", "127.0.0.1"),
          Map.entry("spark.driver.bindAddress", "127.0.0.1"),
          Map.entry("spark.default.parallelism", "2"),
          Map.entry("spark.sql.shuffle.partitions", "2"),
          Map.entry("spark.hadoop.fs.file.impl", NioLocalFileSystem.class.getName()),
          Map.entry("spark.hadoop.fs.AbstractFileSystem.file.impl", NioLocalFs.class.getName()),
          Map.entry("spark.sql.codegen.wholeStage", "false"),
          Map.entry("spark.sql.codegen.factoryMode", "NO_CODEGEN"),
          Map.entry("spark.sql.adaptive.enabled", "false"),
          Map.entry("spark.databricks.delta.snapshotPartitions", "2"));

  private LocalSpark() {}

  /**
   * Opens a session, or gets the one this JVM has.
   *
   * @param name the application's name
   * @param conf settings that win over this class's own
   */
  public static SparkSession open(String name, Map<String, String> conf) {
    requireNonNull(name, "name");
    requireNonNull(conf, "conf");
    SparkSession.Builder builder =
        SparkSession.builder()
            .appName(name)
            .config("spark.sql.session.timeZone", "UTC")
            .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
            .config(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog");
    if (System.getProperty(MASTER) == null) {
      logQuietly();
      builder.master("local[2]");
      SMALL_AND_LOCAL.forEach(
          (key, value) -> {
            if (System.getProperty(key) == null) {
              builder.config(key, value);
            }
          });
    }
    conf.forEach(builder::config);
    return builder.getOrCreate();
  }

  /**
   * Settings count only before the first logger is made, so this comes before anything of Spark.
   */
  private static void logQuietly() {
    if (System.getProperty(LOG_CONFIGURATION) == null) {
      String resource =
          System.getProperty(LOG_FILE) == null
              ? "quiet-log4j2.properties"
              : "file-log4j2.properties";
      System.setProperty(
          LOG_CONFIGURATION, "classpath:org/streammigrator/jobs/session/" + resource);
    }
  }
}
