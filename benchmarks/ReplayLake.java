import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;

/**
 * Makes a Delta table of hourly commits that ended at a given time, four empty data files each with statistics of 1,000 records whose
 * event times are out of order by up to nine minutes, and the checkpoint of a windowed query that has read all of it:
 * DIRECTORY COMMITS [OUTLIER]. The commit of that number has one file with an event of the last hour.
 */
public class ReplayLake {
  private static final String TABLE = "81f9a1ef-9715-49e7-86e8-893cd51abf9b";
  private static final long HOUR = 3_600_000;
  private static final long END = Instant.parse("2026-03-27T12:00:00Z").toEpochMilli();

  public static void main(String[] arguments) throws IOException {
    Path directory = Path.of(arguments[0]);
    int commits = Integer.parseInt(arguments[1]);
    int outlier = arguments.length > 2 ? Integer.parseInt(arguments[2]) : -1;
    Path table = directory.resolve("events");
    Path log = Files.createDirectories(table.resolve("_delta_log"));
    Random random = new Random(1);
    for (int commit = 0; commit < commits; commit++) {
      long begin = END - (commits - commit) * HOUR;
      StringBuilder text = new StringBuilder();
      text.append("{\"commitInfo\":{\"timestamp\":").append(begin + HOUR).append("}}\n");
      if (commit == 0) {
        text.append("{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n")
            .append("{\"metaData\":{\"id\":\"" + TABLE + "\",\"format\":{\"provider\":\"parquet\",\"options\":{}},")
            .append("\"schemaString\":\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[{\\\"name\\\":\\\"t\\\",")
            .append("\\\"type\\\":\\\"timestamp\\\",\\\"nullable\\\":true,\\\"metadata\\\":{}}]}\",")
            .append("\"partitionColumns\":[],\"configuration\":{},\"createdTime\":1}}\n");
      }
      for (int file = 0; file < 4; file++) {
        String name = "part-%05d-%d.parquet".formatted(commit, file);
        Files.createFile(table.resolve(name));
        long newest = commit == outlier && file == 0 ? END - 1 : begin + HOUR - 1 - random.nextInt(540_000);
        text.append("{\"add\":{\"path\":\"" + name + "\",\"partitionValues\":{},\"size\":1000,\"modificationTime\":")
            .append(begin + HOUR)
            .append(",\"dataChange\":true,\"stats\":\"{\\\"numRecords\\\":1000,\\\"minValues\\\":{\\\"t\\\":\\\"")
            .append(Instant.ofEpochMilli(begin - random.nextInt(540_000)))
            .append("\\\"},\\\"maxValues\\\":{\\\"t\\\":\\\"")
            .append(Instant.ofEpochMilli(newest))
            .append("\\\"},\\\"nullCount\\\":{\\\"t\\\":0}}\"}}\n");
      }
      Files.writeString(log.resolve("%020d.json".formatted(commit)), text);
    }
    Path checkpoint = directory.resolve("v1");
    for (String part : new String[] {"offsets", "commits", "state/0/_metadata", "state/0/0"}) {
      Files.createDirectories(checkpoint.resolve(part));
    }
    Files.writeString(checkpoint.resolve("metadata"), "{\"id\":\"6f1c1c52-6d1c-4c3c-9c55-3f1d4d0a7b11\"}");
    for (int batch = 0; batch < 2; batch++) {
      Files.writeString(
          checkpoint.resolve("offsets/" + batch),
          "v1\n{\"batchWatermarkMs\":" + (batch == 0 ? 0 : END - 600_000) + ",\"batchTimestampMs\":1,\"conf\":{"
              + "\"spark.sql.streaming.stateStore.providerClass\":"
              + "\"org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider\","
              + "\"spark.sql.streaming.stateStore.compression.codec\":\"lz4\",\"spark.sql.shuffle.partitions\":\"1\"}}\n"
              + "{\"sourceVersion\":1,\"reservoirId\":\"" + TABLE + "\",\"reservoirVersion\":"
              + (batch == 0 ? 1 : commits) + ",\"index\":-1,\"isStartingVersion\":false}");
      Files.writeString(
          checkpoint.resolve("commits/" + batch), "v1\n{\"nextBatchWatermarkMs\":" + (END - 600_000) + "}");
    }
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: replay
        streams:
          - name: s
            strategy: replay
            checkpoint: {from: v1, to: v2}
            sources: [{delta: events, eventTime: t, options: {startingVersion: 0}}]
            query: {outputMode: append, operators: [{kind: window, size: 2d, delay: 10m}]}
        """);
  }
}
