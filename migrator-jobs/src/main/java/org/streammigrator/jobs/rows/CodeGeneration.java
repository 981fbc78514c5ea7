package org.streammigrator.jobs.rows;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;

/**
 * Whether Spark makes and compiles code for a query, and plans it anew while it runs: that pays for
 * many rows, and for few takes far longer than the rows.
 */
public final class CodeGeneration {
  /** Rows, or files of a log, that are few. */
  public static final long FEW = 1_000_000;

  private static final Map<String, String> NONE =
      Map.of(
          "spark.sql.codegen.wholeStage", "false",
          "spark.sql.codegen.factoryMode", "NO_CODEGEN",
          "spark.sql.adaptive.enabled", "false");

  private CodeGeneration() {}

  /** Runs queries as the session is set up if they are about many rows, and otherwise plainly. */
  public static <T> T unlessFew(SparkSession session, long rows, Supplier<T> queries) {
    if (rows > FEW) {
      return queries.get();
    }
    Map<String, String> before = new HashMap<>();
    NONE.forEach(
        (key, value) -> {
          before.put(key, session.conf().get(key));
          session.conf().set(key, value);
        });
    try {
      return queries.get();
    } finally {
      before.forEach(session.conf()::set);
    }
  }
}
