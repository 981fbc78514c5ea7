package org.streammigrator.plan;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.plan.Key.Form;

/** A sink of the query. */
public record SinkPlan(
    @Key(value = "The sink's address.", required = true, form = Form.KIND_AS_KEY)
        Address<SinkKind> address,
    @Key("The topic, for Kafka.") Optional<String> topic,
    @Key(value = "The columns that a row is unique by.", form = Form.ONE_OR_LIST) List<String> keys,
    @Key(
            value = "The columns that decide which of several rows of one key is the latest.",
            form = Form.ONE_OR_LIST)
        List<String> order,
    @Key("The fixed txnAppId that the query's foreachBatch writes with.") Optional<String> txnAppId,
    @Key("Writer options and client settings.") Map<String, SecretText> options) {

  /** Whether the query writes with MERGE on declared keys, which takes up rows that come twice. */
  public boolean merges() {
    return !keys.isEmpty()
        && switch (address.kind()) {
          case DELTA, ICEBERG, CUSTOM -> true;
          case FILES, KAFKA -> false;
        };
  }
}
