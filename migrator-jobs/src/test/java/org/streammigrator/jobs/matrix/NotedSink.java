package org.streammigrator.jobs.matrix;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.streaming.Trigger;

/**
 * Stands in for a Delta table where that would cost too much: a table with a log of Delta's format,
 * whose commits note the batches, and whose rows lie beside it as texts. Like Delta, it skips a
 * batch that is noted without running it.
 */
final class NotedSink implements MatrixSink {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final MatrixOperator operator;
  private final Path table;
  private final Path log;
  private boolean isMerged;
  private String application;

  NotedSink(MatrixOperator operator, Path table) {
    this.operator = operator;
    this.table = table;
    this.log = table.resolve("_delta_log");
    this.isMerged = operator.isMerged();
    this.application = isMerged ? APP : null;
  }

  @Override
  public void merge(String newApplication) {
    isMerged = true;
    application = newApplication;
  }

  @Override
  public void run(Dataset<Row> query, Path checkpoint, Trigger trigger) throws Exception {
    if (!Files.exists(log)) {
      Files.createDirectories(log);
      commit(
          List.of(
              "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}",
              "{\"metaData\":"
                  + MAPPER.writeValueAsString(
                      Map.of(
                          "id", "0a7ec0de-0000-4000-8000-000000000000",
                          "format", Map.of("provider", "parquet", "options", Map.of()),
                          "schemaString", query.schema().json(),
                          "partitionColumns", List.of(),
                          "configuration", Map.of(),
                          "createdTime", 0))
                  + "}"),
          List.of());
    }
    query
        .writeStream()
        .outputMode(operator.outputMode())
        .option("checkpointLocation", checkpoint.toString())
        .trigger(trigger)
        .foreachBatch(
            (rows, batch) -> {
              write(rows, batch, checkpoint);
            })
        .start()
        .awaitTermination();
  }

  private void write(Dataset<Row> rows, long batch, Path checkpoint) throws IOException {
    String name =
        application != null
            ? application
            : MAPPER.readTree(Files.readString(checkpoint.resolve("metadata"))).path("id").asText();
    if (noted(name) >= batch) {
      return;
    }
    List<String> texts = new ArrayList<>();
    for (Row row : rows.collectAsList()) {
      List<String> key = new ArrayList<>();
      operator.keys().forEach(column -> key.add(String.valueOf(row.<Object>getAs(column))));
      texts.add(key + "\t" + row);
    }
    commit(
        List.of(
            "{\"txn\":{\"appId\":\"%s\",\"version\":%d,\"lastUpdated\":%d}}"
                .formatted(name, batch, System.currentTimeMillis())),
        texts);
  }

  private void commit(List<String> actions, List<String> rows) throws IOException {
    long version = versions().size();
    Files.write(table.resolve(version + ".rows"), rows);
    List<String> lines = new ArrayList<>();
    lines.add(
        "{\"commitInfo\":{\"timestamp\":%d,\"operation\":\"STREAMING UPDATE\",\"operationParameters\":{}}}"
            .formatted(System.currentTimeMillis()));
    lines.addAll(actions);
    Files.write(log.resolve("%020d.json".formatted(version)), lines);
  }

  private long noted(String name) throws IOException {
    long newest = -1;
    for (Path version : versions()) {
      for (String line : Files.readAllLines(version)) {
        JsonNode transaction = MAPPER.readTree(line).path("txn");
        if (transaction.path("appId").asText().equals(name)) {
          newest = Math.max(newest, transaction.path("version").asLong());
        }
      }
    }
    return newest;
  }

  private List<Path> versions() throws IOException {
    try (Stream<Path> files = Files.list(log)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  @Override
  public List<String> rows() throws IOException {
    List<String> rows = new ArrayList<>();
    Map<String, String> byKey = new LinkedHashMap<>();
    for (int version = 0; version < versions().size(); version++) {
      for (String line : Files.readAllLines(table.resolve(version + ".rows"))) {
        String[] keyAndRow = line.split("\t", 2);
        rows.add(keyAndRow[1]);
        byKey.put(keyAndRow[0], keyAndRow[1]);
      }
    }
    return isMerged ? List.copyOf(byKey.values()) : rows;
  }
}
