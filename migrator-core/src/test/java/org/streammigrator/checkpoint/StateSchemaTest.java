package org.streammigrator.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Location;

class StateSchemaTest {
  private static final String KEY =
      "{\"type\":\"struct\",\"fields\":[{\"name\":\"k\",\"type\":\"string\",\"nullable\":true,"
          + "\"metadata\":{}}]}";
  private static final String SESSION =
      "{\"type\":\"struct\",\"fields\":[{\"name\":\"user\",\"type\":\"string\",\"nullable\":true,"
          + "\"metadata\":{}},{\"name\":\"session_window\",\"type\":{\"type\":\"struct\",\"fields\":[]},"
          + "\"nullable\":true,\"metadata\":{\"spark.sessionWindow\":true,"
          + "\"spark.watermarkDelayMs\":9007199254740993}}]}";

  @TempDir private Path root;

  private static byte[] file(Writer writer) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    writer.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private interface Writer {
    void write(DataOutputStream out) throws IOException;
  }

  private static void chunks(DataOutputStream out, String... chunks) throws IOException {
    out.writeInt(chunks.length);
    for (String chunk : chunks) {
      out.writeUTF(chunk);
    }
  }

  private static List<StateSchema> parse(byte[] bytes) throws LogFormatException {
    return new StateSchemaFile(0, "default", "state/0/0/_metadata/schema").parse(bytes);
  }

  private static byte[] third() throws IOException {
    return file(
        out -> {
          out.writeUTF("v3");
          out.writeInt(2);
          out.writeUTF("counts");
          out.writeShort(0);
          chunks(out, KEY);
          out.writeShort(3);
          chunks(out, SESSION);
          chunks(out, "{\"keyStateEncoderType\":\"NoPrefixKeyStateEncoderSpec\"}");
          chunks(out, "{    }");
          out.writeUTF("map");
          out.writeShort(0);
          chunks(out, KEY);
          out.writeShort(0);
          chunks(out, KEY);
          chunks(out, "{\"keyStateEncoderType\":\"PrefixKeyScanStateEncoderSpec\"}");
          chunks(out, KEY);
        });
  }

  @Test
  void readsVersion1And2() throws Exception {
    byte[] first =
        file(
            out -> {
              out.writeUTF("v1");
              out.writeUTF(SESSION);
              out.writeUTF(KEY);
            });
    byte[] second =
        file(
            out -> {
              out.writeUTF("v2");
              chunks(out, SESSION.substring(0, 50), SESSION.substring(50));
              chunks(out, KEY);
            });
    for (byte[] bytes : List.of(first, second)) {
      StateSchema schema = parse(bytes).get(0);
      assertThat(schema.key().toString()).isEqualTo(SESSION);
      assertThat(schema.value().toString()).isEqualTo(KEY);
      assertThat(schema.columnFamily()).isEqualTo("default");
    }
  }

  @Test
  void readsEveryColumnFamilyOfVersion3() throws Exception {
    List<StateSchema> schemas = parse(third());
    assertThat(schemas).extracting(StateSchema::columnFamily).containsExactly("counts", "map");
    assertThat(schemas.get(0).valueSchemaId()).isEqualTo(3);
    assertThat(schemas.get(0).userKey()).isEmpty();
    assertThat(schemas.get(1).userKey().orElseThrow().toString()).isEqualTo(KEY);
    assertThat(schemas.get(1).keyEncoder().orElseThrow().toString()).contains("PrefixKeyScan");
  }

  /** Written by Spark 4.2: a ten minute watermark, windows in the key. */
  @Test
  void readsWhatSparkWrote() throws IOException {
    LocalStore store = new LocalStore();
    Location chk =
        Location.of(
            Path.of("../src-test-fixtures/checkpoints/window-hdfs/checkpoint")
                .toAbsolutePath()
                .normalize());
    StateSchemas schemas = new StateSchemaReader(store).read(new CheckpointReader(store).read(chk));
    assertThat(schemas.damaged()).isEmpty();
    assertThat(schemas.of(0)).hasSize(1);
    StateSchema schema = schemas.of(0).get(0);
    assertThat(schema.version()).isEqualTo(2);
    assertThat(schema.key().at("/fields/1/name").asText()).isEqualTo("kind");
    assertThat(schema.value().at("/fields/0/type").asText()).isEqualTo("long");
  }

  private Checkpoint withVersion3(String metadata) throws IOException {
    Path chk = root.resolve("chk");
    Files.createDirectories(chk.resolve("state/0/0"));
    Files.createDirectories(chk.resolve("state/0/_stateSchema/default"));
    Files.createDirectories(chk.resolve("state/0/_metadata/v2"));
    for (String name : List.of("0_aaaa", "4_bbbb", "10_cccc")) {
      Files.write(chk.resolve("state/0/_stateSchema/default/" + name), third());
    }
    Files.writeString(chk.resolve("state/0/_metadata/v2/0"), "v2\n{}");
    Files.writeString(chk.resolve("state/0/_metadata/v2/5"), metadata);
    return new CheckpointReader(new LocalStore()).read(Location.of(chk));
  }

  private static String metadata(String files) {
    return "v2\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"transformWithStateExec\"},"
        + "\"stateStoreInfo\":[{\"storeName\":\"default\",\"numColsPrefixKey\":0,"
        + "\"numPartitions\":1,"
        + files
        + "}],\"operatorPropertiesJson\":\"{\\\"timeMode\\\":\\\"NoTime\\\"}\"}";
  }

  @Test
  void takesTheSchemaFilesThatTheOperatorNames() throws IOException {
    Checkpoint checkpoint =
        withVersion3(
            metadata("\"stateSchemaFilePaths\":[\"file:/old/0_aaaa\",\"file:/old/4_bbbb\"]"));
    OperatorMetadata metadata = checkpoint.operators().get(0).metadata().readable().orElseThrow();
    assertThat(metadata.path()).isEqualTo("state/0/_metadata/v2/5");
    assertThat(metadata.properties()).contains("{\"timeMode\":\"NoTime\"}");
    StateSchemas schemas = new StateSchemaReader(new LocalStore()).read(checkpoint);
    assertThat(schemas.current()).allMatch(schema -> schema.path().endsWith("4_bbbb"));
    assertThat(schemas.earlier()).allMatch(schema -> schema.path().endsWith("0_aaaa"));
    assertThat(schemas.current()).hasSize(2);
  }

  @Test
  void readsTheFieldOfPreviews() throws IOException {
    Checkpoint checkpoint = withVersion3(metadata("\"stateSchemaFilePath\":\"file:/old/0_aaaa\""));
    StateSchemas schemas = new StateSchemaReader(new LocalStore()).read(checkpoint);
    assertThat(schemas.current()).allMatch(schema -> schema.path().endsWith("0_aaaa"));
  }

  @Test
  void takesTheNewestWhereNothingIsNamed() throws IOException {
    Checkpoint checkpoint = withVersion3("v2\n{");
    assertThat(checkpoint.operators().get(0).metadata()).isInstanceOf(LogFile.Damaged.class);
    StateSchemas schemas = new StateSchemaReader(new LocalStore()).read(checkpoint);
    assertThat(schemas.current()).allMatch(schema -> schema.path().endsWith("10_cccc"));
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    assertThatThrownBy(() -> parse(new byte[0])).isInstanceOf(LogFormatException.class);
    byte[] newer = file(out -> out.writeUTF("v4"));
    assertThatThrownBy(() -> parse(newer)).hasMessageContaining("\"v4\"");
    byte[] text = "v1\n{}".getBytes(StandardCharsets.UTF_8);
    assertThatThrownBy(() -> parse(text)).isInstanceOf(LogFormatException.class);
    byte[] array =
        file(
            out -> {
              out.writeUTF("v1");
              out.writeUTF("[]");
              out.writeUTF(KEY);
            });
    assertThatThrownBy(() -> parse(array)).hasMessageContaining("key schema");
  }

  /** Every cut and every flipped bit either gives schemas or is named: nothing else happens. */
  @Test
  void damageIsNamed() throws IOException {
    byte[] whole = third();
    for (int length = 0; length < whole.length; length++) {
      byte[] cut = java.util.Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> parse(cut)).isInstanceOf(LogFormatException.class);
    }
    Random random = new Random(7);
    for (int i = 0; i < 2000; i++) {
      byte[] flipped = whole.clone();
      flipped[random.nextInt(flipped.length)] ^= (byte) (1 << random.nextInt(8));
      try {
        assertThat(parse(flipped)).isNotNull();
      } catch (LogFormatException named) {
        assertThat(named.getMessage()).isNotBlank();
      }
    }
  }
}
