package org.streammigrator.checkpoint;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The kinds of state store whose files this program understands. */
public enum StateProvider {
  HDFS,
  ROCKSDB,
  UNKNOWN;

  /** The name in JSON and text. */
  @JsonValue
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The kind of a provider class; {@link #UNKNOWN} for any but Spark's own. */
  public static StateProvider ofClass(String className) {
    return switch (className.substring(className.lastIndexOf('.') + 1)) {
      case "HDFSBackedStateStoreProvider" -> HDFS;
      case "RocksDBStateStoreProvider" -> ROCKSDB;
      default -> UNKNOWN;
    };
  }
}
