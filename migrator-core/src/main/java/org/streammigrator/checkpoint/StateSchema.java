package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * The key and value schema of one state store, or of one column family of a store that has several.
 *
 * @param operator the stateful operator's number
 * @param store the store's name, {@code default} where it has none
 * @param columnFamily the column family (the state variable of {@code transformWithState}); {@code
 *     default} in schema files of version 1 and 2, which know none
 * @param path the schema file inside the checkpoint
 * @param version the schema file's version, 1 to 3
 * @param key the key schema in Spark's JSON for a {@code StructType}
 * @param value the value schema in the same form
 * @param keySchemaId the number of the key schema among those the column family had, 0 in versions
 *     1 and 2
 * @param valueSchemaId the number of the value schema, which grows as it evolves; 0 in versions 1
 *     and 2
 * @param keyEncoder how keys are laid out ({@code keyStateEncoderType} and what belongs to it), as
 *     JSON; empty in versions 1 and 2
 * @param userKey the schema of a map state's user key; empty where there is none
 */
public record StateSchema(
    int operator,
    String store,
    String columnFamily,
    String path,
    int version,
    JsonNode key,
    JsonNode value,
    int keySchemaId,
    int valueSchemaId,
    Optional<JsonNode> keyEncoder,
    Optional<JsonNode> userKey) {

  /** The column family that a store without several has. */
  public static final String DEFAULT = "default";

  public StateSchema {
    requireNonNull(store, "store");
    requireNonNull(columnFamily, "columnFamily");
    requireNonNull(path, "path");
    requireNonNull(key, "key");
    requireNonNull(value, "value");
    requireNonNull(keyEncoder, "keyEncoder");
    requireNonNull(userKey, "userKey");
  }
}
