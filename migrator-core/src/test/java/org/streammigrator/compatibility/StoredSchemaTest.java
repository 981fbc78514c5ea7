package org.streammigrator.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cases.CommandRun;
import org.streammigrator.checkpoint.CheckpointReader;
import org.streammigrator.checkpoint.StateSchema;
import org.streammigrator.checkpoint.StateSchemaReader;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

/** Declared schemas against those that a real query has stored. */
class StoredSchemaTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Path CHECKPOINT =
      Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint").toAbsolutePath();

  @TempDir private Path directory;

  private static StateSchema stored() throws IOException {
    LocalStore store = new LocalStore();
    return new StateSchemaReader(store)
        .read(new CheckpointReader(store).read(Location.of(CHECKPOINT)))
        .current()
        .get(0);
  }

  private JsonNode checkValue(Consumer<ArrayNode> edit) throws IOException {
    return check("value", stored().value(), edit);
  }

  private JsonNode check(String part, JsonNode schema, Consumer<ArrayNode> edit)
      throws IOException {
    JsonNode changed = schema.deepCopy();
    edit.accept((ArrayNode) changed.get("fields"));
    ObjectNode change = MAPPER.createObjectNode().put("kind", "state-schema").put("operator", 0);
    change.set(part, changed);
    ObjectNode file = MAPPER.createObjectNode();
    file.putArray("changes").add(change);
    Files.writeString(directory.resolve("changes.json"), file.toString());
    CommandRun run =
        CommandRun.of(
            directory,
            List.of("check", CHECKPOINT.toString(), "--changes", "changes.json", "-o", "json"));
    JsonNode result = MAPPER.readTree(run.out()).get("changes").get(0);
    assertThat(run.exit()).isEqualTo(result.get("verdict").asText().equals("compatible") ? 0 : 3);
    return result;
  }

  @Test
  void theStoredValueSchemaIsTheSame() throws IOException {
    assertThat(checkValue(fields -> {}).get("rule").asText()).isEqualTo("state-schema-same");
  }

  @Test
  void anotherNameIsCompatible() throws IOException {
    JsonNode change = checkValue(fields -> ((ObjectNode) fields.get(0)).put("name", "other"));
    assertThat(change.get("rule").asText()).isEqualTo("state-schema-renamed");
    assertThat(change.get("consequence").asText()).contains("becomes other");
  }

  @Test
  void anotherTypeIsNot() throws IOException {
    JsonNode change = checkValue(fields -> ((ObjectNode) fields.get(0)).put("type", "date"));
    assertThat(change.get("effect").asText()).isEqualTo("fails");
    assertThat(change.get("consequence").asText()).contains("becomes date");
  }

  @Test
  void oneMoreAggregateIsNot() throws IOException {
    JsonNode change = checkValue(fields -> fields.add(fields.get(0).deepCopy()));
    assertThat(change.get("effect").asText()).isEqualTo("fails");
    assertThat(change.get("strategy").asText()).isEqualTo("replay");
  }

  @Test
  void keysAreComparedToo() throws IOException {
    assertThat(check("key", stored().key(), fields -> {}).get("verdict").asText())
        .isEqualTo("compatible");
    assertThat(check("key", stored().key(), fields -> fields.remove(0)).get("verdict").asText())
        .isEqualTo("incompatible");
  }
}
