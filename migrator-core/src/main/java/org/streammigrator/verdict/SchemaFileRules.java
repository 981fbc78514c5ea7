package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.STATE_FILE_CORRUPT;
import static org.streammigrator.finding.FindingCode.STATE_SCHEMA_MISSING;

import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.Severity;

/** Rules about the files that describe state: what Spark, or a newer Spark, does not take. */
final class SchemaFileRules {
  private static final String JOIN_FORMAT = "spark.sql.streaming.join.stateFormatVersion";
  private static final String SINCE_2_4 = "spark.sql.streaming.multipleWatermarkPolicy";
  private static final String JOIN_STORE = "left-keyToNumValues";

  private SchemaFileRules() {}

  static void check(Checkpoint checkpoint, Restart restart) {
    for (OperatorState operator : checkpoint.operators()) {
      joinWithoutSchema(checkpoint, operator, restart);
      emptySchemas(checkpoint, operator, restart);
    }
  }

  /**
   * Spark 4.1 and 4.2 take the version of a join's state format for that of its schema file ({@code
   * IncrementalExecution.StateSchemaAndOperatorMetadataRule}) and cannot write version 1 ({@code
   * SchemaWriter}); they write the file where a query of Spark 3.0 or older has none. Settings that
   * are too few to date the query are no proof.
   */
  private static void joinWithoutSchema(
      Checkpoint checkpoint, OperatorState operator, Restart restart) {
    Map<String, String> conf = checkpoint.restartHeader().map(OffsetHeader::conf).orElse(Map.of());
    String schema = "state/" + operator.operator() + "/0/" + JOIN_STORE + "/_metadata/schema";
    if (!conf.getOrDefault(JOIN_FORMAT, "1").equals("1")
        || !operator.storeNames().contains(JOIN_STORE)
        || operator.name().isPresent()
        || checkpoint.entry(schema).isPresent()) {
      return;
    }
    boolean dated = conf.containsKey(SINCE_2_4);
    Finding finding =
        new Finding(
            STATE_SCHEMA_MISSING,
            dated ? Severity.ERROR : Severity.WARNING,
            schema,
            "the join's state has format 1 and no schema file, as Spark 3.0 and older left it: Spark"
                + " 4.1 and 4.2 want to write one and stop with \"Unsupported schema writer version:"
                + " 1\"",
            "restart it once with Spark 3.1 to 4.0, which write the file, or set"
                + " spark.sql.streaming.stateStore.stateSchemaCheck=false for the first run");
    if (dated) {
      restart.stop(finding, List.of("4.1", "4.2"));
    } else {
      restart.note(finding);
    }
  }

  /** Spark reads the schema files of partition 0 before a restart's first batch, from 3.1 on. */
  private static void emptySchemas(Checkpoint checkpoint, OperatorState operator, Restart restart) {
    String partition = "state/" + operator.operator() + "/0/";
    for (String store : operator.storeNames()) {
      String path = partition + (store.equals("default") ? "" : store + "/") + "_metadata/schema";
      checkpoint
          .entry(path)
          .filter(file -> file.isFile() && file.size() == 0)
          .ifPresent(
              file ->
                  restart.stop(
                      Finding.error(
                          STATE_FILE_CORRUPT,
                          path,
                          "the state's schema file is empty: Spark stops with an EOFException",
                          "restore it from a copy, or set it aside: Spark writes it anew, without a"
                              + " comparison of the schemas")));
    }
  }
}
