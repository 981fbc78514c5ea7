import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.zip.CRC32;

/** Makes a checkpoint of a windowed aggregation, with `.crc` siblings: DIRECTORY PARTITIONS VERSIONS BYTES. */
public class CheckpointMaker {
  public static void main(String[] arguments) throws IOException {
    Path checkpoint = Path.of(arguments[0]);
    int partitions = Integer.parseInt(arguments[1]);
    int versions = Integer.parseInt(arguments[2]);
    int bytes = Integer.parseInt(arguments[3]);
    Random random = new Random(1);
    for (int partition = 0; partition < partitions; partition++) {
      Path store = checkpoint.resolve("state/0/" + partition);
      Files.createDirectories(store);
      for (int version = 1; version <= versions; version++) {
        write(store, version + ".delta", random(random, bytes));
        if (version % 10 == 0 && version < versions) {
          write(store, version + ".snapshot", random(random, 2 * bytes));
        }
      }
    }
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    Files.createDirectories(checkpoint.resolve("state/0/_metadata"));
    for (int batch = 0; batch < versions; batch++) {
      String offsets =
          "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1774602000000,\"conf\":{"
              + "\"spark.sql.streaming.stateStore.providerClass\":"
              + "\"org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider\","
              + "\"spark.sql.streaming.stateStore.compression.codec\":\"lz4\","
              + "\"spark.sql.shuffle.partitions\":\"" + partitions + "\"}}\n"
              + "{\"clicks\":{\"0\":" + batch + "}}";
      write(checkpoint.resolve("offsets"), "" + batch, offsets.getBytes());
      write(checkpoint.resolve("commits"), "" + batch, "v1\n{\"nextBatchWatermarkMs\":0}".getBytes());
    }
    write(
        checkpoint.resolve("state/0/_metadata"),
        "metadata",
        ("v1\n{\"operatorInfo\":{\"operatorId\":0,\"operatorName\":\"stateStoreSave\"},\"stateStoreInfo\":"
                + "[{\"storeName\":\"default\",\"numColsPrefixKey\":0,\"numPartitions\":" + partitions + "}]}")
            .getBytes());
    write(checkpoint, "metadata", "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}".getBytes());
  }

  private static byte[] random(Random random, int size) {
    byte[] bytes = new byte[size];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void write(Path directory, String name, byte[] bytes) throws IOException {
    Files.write(directory.resolve(name), bytes);
    ByteArrayOutputStream sums = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(sums);
    out.writeBytes("crc\0");
    out.writeInt(512);
    for (int at = 0; at < bytes.length; at += 512) {
      CRC32 crc = new CRC32();
      crc.update(bytes, at, Math.min(512, bytes.length - at));
      out.writeInt((int) crc.getValue());
    }
    Files.write(directory.resolve("." + name + ".crc"), sums.toByteArray());
  }
}
