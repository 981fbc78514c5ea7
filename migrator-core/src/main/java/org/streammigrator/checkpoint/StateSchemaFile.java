package org.streammigrator.checkpoint;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * Decodes a schema file of a state store.
 *
 * <p>Rules from Spark's {@code SchemaHelper} (4.2.0): texts are those of {@code
 * DataOutput.writeUTF}. First the version, {@code v1} to {@code v3}. Version 1 (Spark 3.1): key and
 * value schema, a text each, which limits them to 65,535 bytes. Version 2 (since 3.2): each schema
 * is a big-endian int and so many texts. Version 3 ({@code transformWithState}, joins of state
 * format 3): the number of column families, and for each its name, key schema id (short), key
 * schema, value schema id, value schema, key encoder, and the user key's schema or <code>{}</code>,
 * every schema as in version 2; previews of 4.0 wrote no ids.
 */
final class StateSchemaFile {
  private static final int NEWEST_VERSION = 3;

  private final int operator;
  private final String store;
  private final String path;

  StateSchemaFile(int operator, String store, String path) {
    this.operator = operator;
    this.store = store;
    this.path = path;
  }

  /**
   * The schemas that a file holds.
   *
   * @throws LogFormatException where Spark could not read it
   */
  List<StateSchema> parse(byte[] bytes) throws LogFormatException {
    try {
      return parse(bytes, true);
    } catch (LogFormatException damaged) {
      try {
        return parse(bytes, false);
      } catch (LogFormatException noPreviewEither) {
        throw damaged;
      }
    }
  }

  private List<StateSchema> parse(byte[] bytes, boolean withIds) throws LogFormatException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = version(in.readUTF());
      return version == 3 ? columnFamilies(in, withIds) : List.of(single(version, in));
    } catch (EOFException cutOff) {
      throw corrupt("it ends too early, after " + bytes.length + " bytes");
    } catch (IOException malformed) {
      throw corrupt("its texts are not those that Spark writes: " + malformed.getMessage());
    }
  }

  private static int version(String text) throws LogFormatException {
    for (int version = 1; version <= NEWEST_VERSION; version++) {
      if (text.equals("v" + version)) {
        return version;
      }
    }
    throw corrupt("its version is " + LogText.quote(text) + "; known are v1 to v" + NEWEST_VERSION);
  }

  private StateSchema single(int version, DataInputStream in)
      throws IOException, LogFormatException {
    String key = version == 1 ? in.readUTF() : chunks(in);
    String value = version == 1 ? in.readUTF() : chunks(in);
    return new StateSchema(
        operator,
        store,
        StateSchema.DEFAULT,
        path,
        version,
        struct(key, "key"),
        struct(value, "value"),
        0,
        0,
        Optional.empty(),
        Optional.empty());
  }

  private List<StateSchema> columnFamilies(DataInputStream in, boolean withIds)
      throws IOException, LogFormatException {
    int count = in.readInt();
    List<StateSchema> schemas = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      String name = in.readUTF();
      int keyId = withIds ? in.readShort() : 0;
      JsonNode key = struct(chunks(in), "key");
      int valueId = withIds ? in.readShort() : 0;
      JsonNode value = struct(chunks(in), "value");
      Optional<JsonNode> encoder = Json.parseObject(chunks(in));
      Optional<JsonNode> userKey = Json.parseObject(chunks(in)).filter(node -> node.has("fields"));
      schemas.add(
          new StateSchema(
              operator,
              store,
              name,
              path,
              NEWEST_VERSION,
              key,
              value,
              keyId,
              valueId,
              encoder,
              userKey));
    }
    return List.copyOf(schemas);
  }

  private static String chunks(DataInputStream in) throws IOException {
    int count = in.readInt();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append(in.readUTF());
    }
    return text.toString();
  }

  private static JsonNode struct(String json, String what) throws LogFormatException {
    return Json.parseObject(json)
        .filter(node -> node.path("type").asText().equals("struct"))
        .filter(node -> node.path("fields").isArray())
        .orElseThrow(
            () -> corrupt("its " + what + " schema is no StructType: " + LogText.quote(json)));
  }

  private static LogFormatException corrupt(String message) {
    return new LogFormatException(FindingCode.STATE_FILE_CORRUPT, message);
  }
}
