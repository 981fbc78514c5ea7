package org.streammigrator.facts;

import static java.util.Objects.requireNonNull;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Facts about the world outside a checkpoint; what is not there is not known.
 *
 * @param delta by source id
 * @param kafka by topic
 * @param eventhubs by hub; sequence numbers, of which {@code latest} is the last one in the hub
 * @param sinkTxn the last batch that a Delta sink recorded, by application id (the query id)
 * @param fileSinkLastBatch the last batch in a file sink's {@code _spark_metadata}
 */
public record Facts(
    Map<String, DeltaFacts> delta,
    Map<String, KafkaFacts> kafka,
    Map<String, KafkaFacts> eventhubs,
    Map<String, Long> sinkTxn,
    OptionalLong fileSinkLastBatch) {

  /** Nothing is known. */
  public static final Facts NONE =
      new Facts(Map.of(), Map.of(), Map.of(), Map.of(), OptionalLong.empty());

  public Facts {
    delta = Map.copyOf(delta);
    kafka = Map.copyOf(kafka);
    eventhubs = Map.copyOf(eventhubs);
    sinkTxn = Map.copyOf(sinkTxn);
    requireNonNull(fileSinkLastBatch, "fileSinkLastBatch");
  }

  /** The same facts and one more table. */
  public Facts withDelta(String sourceId, DeltaFacts table) {
    Map<String, DeltaFacts> more = new HashMap<>(delta);
    more.put(sourceId, table);
    return new Facts(more, kafka, eventhubs, sinkTxn, fileSinkLastBatch);
  }

  /** The same facts and one more transaction of a Delta sink. */
  public Facts withSinkTxn(String applicationId, long version) {
    Map<String, Long> more = new HashMap<>(sinkTxn);
    more.put(applicationId, version);
    return new Facts(delta, kafka, eventhubs, more, fileSinkLastBatch);
  }
}
