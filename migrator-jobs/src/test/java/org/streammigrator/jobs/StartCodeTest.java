package org.streammigrator.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.python.util.PythonInterpreter;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.jobs.session.LocalSpark;
import scala.tools.nsc.MainClass;

/**
 * The code that {@code resume --as} prints is run as it stands: the stream that it makes reads a
 * Delta table's versions from the position on, and no others.
 */
@Tag("spark")
class StartCodeTest {
  private static final int VERSION = 2;
  private static final List<Long> UNREAD = List.of(20L, 21L, 30L, 31L);

  @TempDir static Path shared;
  private static SparkSession spark;
  private static Path table;
  private static Path checkpoint;

  @TempDir Path directory;

  @BeforeAll
  static void writeATableAndACheckpoint() throws IOException {
    spark = LocalSpark.open("tests", Map.of());
    table = shared.resolve("a 'table' of \"raw\" $orders");
    for (long version = 0; version < 4; version++) {
      spark
          .createDataset(List.of(version * 10, version * 10 + 1), Encoders.LONG())
          .toDF("id")
          .write()
          .format("delta")
          .mode("append")
          .save(table.toString());
    }
    String tableId =
        spark
            .sql("DESCRIBE DETAIL delta.`" + table + "`")
            .select("id")
            .as(Encoders.STRING())
            .head();
    checkpoint = shared.resolve("checkpoint");
    Files.createDirectories(checkpoint.resolve("offsets"));
    Files.createDirectories(checkpoint.resolve("commits"));
    Files.writeString(
        checkpoint.resolve("metadata"), "{\"id\":\"11111111-2222-4333-8444-555555555555\"}");
    String kafka = "{\"orders\":{\"0\":8,\"1\":5},\"sales.public.items\":{\"0\":483}}";
    Files.writeString(
        checkpoint.resolve("offsets/0"),
        """
        v1
        {"batchWatermarkMs":0,"batchTimestampMs":1700000000000,"conf":{}}
        {"sourceVersion":1,"reservoirId":"%s","reservoirVersion":%d,"index":-1,"isStartingVersion":false}
        %s"""
            .formatted(tableId, VERSION, kafka));
    Files.writeString(checkpoint.resolve("commits/0"), "v1\n{\"nextBatchWatermarkMs\":0}");
  }

  @Test
  void python() throws Exception {
    String code = code("python");
    try (PythonInterpreter interpreter = new PythonInterpreter()) {
      interpreter.set("session", spark);
      interpreter.exec(
          """
          class PySpark(object):
              @property
              def readStream(self):
                  return session.readStream()
          """);
      interpreter.exec(code);
      Object orders = interpreter.eval("read_source_0(PySpark())").__tojava__(Dataset.class);
      assertThat(drained((Dataset<?>) orders)).containsExactlyInAnyOrderElementsOf(UNREAD);
      Object topics =
          interpreter.eval("read_source_1(PySpark(), '127.0.0.1:1')").__tojava__(Dataset.class);
      assertThat(((Dataset<?>) topics).columns()).contains("topic", "partition", "offset");
    }
  }

  @Test
  void scala() throws Exception {
    Path source = Files.writeString(directory.resolve("ResumePosition.scala"), code("scala"));
    Path classes = Files.createDirectories(directory.resolve("classes"));
    String[] arguments = {
      "-d", classes.toString(), "-classpath", classPath(), "-Werror", source.toString()
    };
    assertThat(new MainClass().process(arguments)).as(Files.readString(source)).isTrue();
    try (URLClassLoader loader =
        new URLClassLoader(
            new URL[] {classes.toUri().toURL()}, StartCodeTest.class.getClassLoader())) {
      Class<?> position = loader.loadClass("ResumePosition");
      String path = (String) position.getMethod("readSource0$default$2").invoke(null);
      Object orders =
          position
              .getMethod("readSource0", SparkSession.class, String.class)
              .invoke(null, spark, path);
      assertThat(drained((Dataset<?>) orders)).containsExactlyInAnyOrderElementsOf(UNREAD);
      Object topics =
          position
              .getMethod("readSource1", SparkSession.class, String.class)
              .invoke(null, spark, "127.0.0.1:1");
      assertThat(((Dataset<?>) topics).columns()).contains("topic", "partition", "offset");
    }
  }

  @Test
  void sql() throws Exception {
    List<String> statements = new ArrayList<>();
    for (String statement : code("sql").split(";\n")) {
      statements.add(statement.strip());
    }
    spark.sql(statements.get(0));
    Dataset<Row> orders = spark.sql(statements.get(1));
    assertThat(drained(orders)).containsExactlyInAnyOrderElementsOf(UNREAD);
    // read_kafka exists in Databricks SQL only: here the statement can be parsed.
    assertThat(statements.get(2)).contains("STREAM read_kafka(");
    spark.sessionState().sqlParser().parsePlan(statements.get(2));
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private List<Long> drained(Dataset<?> stream) throws Exception {
    Path sink = Files.createTempDirectory(directory, "sink").resolve("table");
    stream
        .select("id")
        .writeStream()
        .format("delta")
        .option("checkpointLocation", sink.resolveSibling("checkpoint").toString())
        .trigger(Trigger.AvailableNow())
        .start(sink.toString())
        .awaitTermination();
    return spark.read().format("delta").load(sink.toString()).as(Encoders.LONG()).collectAsList();
  }

  private static String code(String language) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exit =
        Cli.run(
            List.of(
                "resume",
                checkpoint.toString(),
                "--source",
                "1=kafka",
                "--delta",
                "0=" + table,
                "--as",
                language),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            CliContext.ofProcess());
    assertThat(exit).as(out + err.toString(UTF_8)).isZero();
    return out.toString(UTF_8);
  }
}
