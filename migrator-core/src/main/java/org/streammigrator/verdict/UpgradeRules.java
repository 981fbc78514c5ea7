package org.streammigrator.verdict;

import static org.streammigrator.finding.FindingCode.LOG_VERSION_UNSUPPORTED;
import static org.streammigrator.finding.FindingCode.STATE_SCHEMA_MISSING;

import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.CheckpointFile;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OperatorState;
import org.streammigrator.finding.Finding;

/** Rules about state that one version of Spark wrote and another one does not take. */
final class UpgradeRules {
  private static final String JOIN_FORMAT = "spark.sql.streaming.join.stateFormatVersion";

  /** Pinned since Spark 2.4: a plan without it is older, or was not written by Spark. */
  private static final String SINCE_2_4 = "spark.sql.streaming.multipleWatermarkPolicy";

  private static final String JOIN_STORE = "left-keyToNumValues";

  private UpgradeRules() {}

  static void check(Checkpoint checkpoint, Restart restart) {
    newerOperators(checkpoint, restart);
    for (OperatorState operator : checkpoint.operators()) {
      joinWithoutSchema(checkpoint, operator, restart);
    }
  }

  /** {@code OperatorStateMetadataV2} came with Spark 4.0. */
  private static void newerOperators(Checkpoint checkpoint, Restart restart) {
    for (CheckpointFile file : checkpoint.filesBelow("state")) {
      if (file.path().contains("/_metadata/v2/")
          && file.path().matches("state/[0-9]+/_metadata/v2/[0-9]+")) {
        restart.stop(
            Finding.info(
                LOG_VERSION_UNSUPPORTED,
                file.path(),
                "operator metadata of version 2 describes operators that Spark 3.5 does not have"
                    + " (transformWithState, joins of state format 3)",
                "restart it with Spark 4.0 or newer"),
            List.of("3.5"));
        return;
      }
    }
  }

  /**
   * Spark 4.1 and 4.2 take the version of a join's state format for that of its schema file ({@code
   * IncrementalExecution.StateSchemaAndOperatorMetadataRule}) and cannot write version 1 ({@code
   * SchemaWriter}); they write the file where a query of Spark 3.0 or older has none.
   */
  private static void joinWithoutSchema(
      Checkpoint checkpoint, OperatorState operator, Restart restart) {
    Map<String, String> conf = checkpoint.restartHeader().map(OffsetHeader::conf).orElse(Map.of());
    String schema = "state/" + operator.operator() + "/0/" + JOIN_STORE + "/_metadata/schema";
    if (!conf.getOrDefault(JOIN_FORMAT, "1").equals("1")
        || !operator.storeNames().contains(JOIN_STORE)
        || checkpoint.filesBelow("state").stream().anyMatch(f -> f.path().equals(schema))) {
      return;
    }
    String message =
        "the join's state has format 1 and no schema file, as Spark 3.0 and older left it: Spark 4.1"
            + " and 4.2 want to write one and stop with \"Unsupported schema writer version: 1\"";
    String remedy =
        "restart it once with Spark 3.1 to 4.0, which write the file, or set"
            + " spark.sql.streaming.stateStore.stateSchemaCheck=false for the first run";
    if (conf.containsKey(SINCE_2_4)) {
      restart.stop(
          Finding.error(STATE_SCHEMA_MISSING, schema, message, remedy), List.of("4.1", "4.2"));
    } else {
      restart.note(
          Finding.warning(
              STATE_SCHEMA_MISSING,
              schema,
              message + ", unless the pinned settings in the newest plan were cut short",
              remedy));
    }
  }
}
