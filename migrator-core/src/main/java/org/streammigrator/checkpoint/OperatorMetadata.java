package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * What an operator's metadata file says: {@code state/<operator>/_metadata/metadata} (version 1,
 * since Spark 4.0) or {@code _metadata/v2/<batch>} (version 2, {@code transformWithState} and joins
 * of state format 3). Rules from Spark's {@code OperatorStateMetadata}.
 *
 * @param path the file inside the checkpoint
 * @param version 1 or 2
 * @param name the operator's name, for example {@code stateStoreSave}
 * @param stores its stores
 * @param properties what version 2 tells about the operator, as the JSON text that stands there
 */
public record OperatorMetadata(
    String path, int version, String name, List<StoreInfo> stores, Optional<String> properties) {

  private static final int NEWEST_VERSION = 2;

  public OperatorMetadata {
    requireNonNull(path, "path");
    requireNonNull(name, "name");
    requireNonNull(properties, "properties");
    stores = List.copyOf(stores);
  }

  /**
   * A store of the operator.
   *
   * @param name the store's name
   * @param numColsPrefixKey the number of key columns that a prefix scan uses
   * @param numPartitions the number of partitions when the file was written; not corrected by a
   *     later repartition
   * @param schemaFiles version 2: absolute URIs of the store's schema files, the newest last
   */
  public record StoreInfo(
      String name, long numColsPrefixKey, long numPartitions, List<String> schemaFiles) {
    public StoreInfo {
      requireNonNull(name, "name");
      schemaFiles = List.copyOf(schemaFiles);
    }
  }

  /**
   * Reads a file.
   *
   * @throws LogFormatException where Spark could not read it
   */
  public static OperatorMetadata parse(String path, byte[] bytes) throws LogFormatException {
    LogText text =
        LogText.parse(
            bytes,
            "operator metadata",
            NEWEST_VERSION,
            FindingCode.STATE_FILE_CORRUPT,
            FindingCode.STATE_FILE_CORRUPT);
    String body = String.join("\n", text.lines().subList(1, text.lines().size()));
    JsonNode node =
        Json.parseObject(body)
            .orElseThrow(() -> corrupt("after its version line it holds no JSON object"));
    JsonNode name = node.path("operatorInfo").path("operatorName");
    if (!name.isTextual()) {
      throw corrupt("it names no operator (operatorInfo.operatorName)");
    }
    List<StoreInfo> stores = new ArrayList<>();
    for (JsonNode store : node.path("stateStoreInfo")) {
      stores.add(
          new StoreInfo(
              store.path("storeName").asText(),
              number(store, "numColsPrefixKey"),
              number(store, "numPartitions"),
              schemaFiles(store)));
    }
    return new OperatorMetadata(
        path,
        text.version(),
        name.asText(),
        stores,
        Optional.of(node.path("operatorPropertiesJson"))
            .filter(JsonNode::isTextual)
            .map(JsonNode::asText));
  }

  /** A list since 4.0.0; one text, {@code stateSchemaFilePath}, in previews of it. */
  private static List<String> schemaFiles(JsonNode store) {
    List<String> files = new ArrayList<>();
    store.path("stateSchemaFilePaths").forEach(file -> files.add(file.asText()));
    if (store.path("stateSchemaFilePath").isTextual()) {
      files.add(store.path("stateSchemaFilePath").asText());
    }
    return files;
  }

  private static long number(JsonNode store, String field) throws LogFormatException {
    OptionalLong number = Json.exactLong(store.get(field));
    return number.orElseThrow(() -> corrupt("\"" + field + "\" of a store is not a number"));
  }

  private static LogFormatException corrupt(String message) {
    return new LogFormatException(FindingCode.STATE_FILE_CORRUPT, message);
  }
}
