package org.streammigrator.checkpoint;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a reading of every byte of the state found that the restart's version is built from.
 *
 * @param version what the version takes, now that damaged files are known
 * @param operators by operator
 * @param schemas the schema files that cannot be read, with the reason
 */
public record StateReading(
    StateVersion version, Map<Integer, OperatorReading> operators, Map<String, String> schemas) {

  public StateReading {
    operators = java.util.Collections.unmodifiableMap(new TreeMap<>(operators));
    schemas = java.util.Collections.unmodifiableMap(new TreeMap<>(schemas));
  }

  /**
   * The reading of one operator's state.
   *
   * @param filesRead the files that were read to their end
   * @param bytesRead their bytes
   * @param keys the number of keys in all stores; empty where the files do not tell (RocksDB with
   *     changelogs), where one is damaged, or beyond a million keys in one store
   * @param damaged the files that Spark cannot use
   * @param altered the files that Spark can use and that are not what it wrote: their hidden Hadoop
   *     checksum does not fit
   */
  public record OperatorReading(
      long filesRead,
      long bytesRead,
      OptionalLong keys,
      List<Damage> damaged,
      List<String> altered) {
    public OperatorReading {
      damaged = List.copyOf(damaged);
      altered = List.copyOf(altered);
    }
  }

  /** A damaged file. */
  public record Damage(String path, String reason) {}
}
