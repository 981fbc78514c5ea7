package org.streammigrator.plan;

/** Where Spark jobs run. */
public enum RunnerKind implements Choice {
  /** In a JVM on this machine. */
  LOCAL,
  /** Through spark-submit. */
  SPARK_SUBMIT,
  /** As a run in a Databricks workspace. */
  DATABRICKS
}
