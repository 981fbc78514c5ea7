package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The mistakes that resets are made with, tried as a dry run and for real. */
class ResetCasesTest {
  private static final String ID = "11111111-2222-4333-8444-555555555555";

  @TempDir private Path directory;
  private Console console;

  @BeforeEach
  void begin() {
    console = new Console(directory);
  }

  /** T01: a copy whose logs were deleted to begin anew, under the id that the sink knows. */
  @Test
  void batchesThatTheSinkWouldSkipAreRefused() throws IOException {
    write("chk/metadata", "{\"id\":\"" + ID + "\"}");
    deltaSink(36);
    refused("--sink-delta", "sink");
    assertThat(console.printed()).contains("36");
  }

  /** T01: the same, but its logs are there: it goes on at 37. */
  @Test
  void theNumbersGoOnWhereTheSinkIs() throws IOException {
    checkpoint(36, "{\"t\":{\"0\":3600}}");
    deltaSink(36);
    done("--sink-delta", "sink");
    assertThat(directory.resolve("new/offsets/36")).hasContent(offsets("{\"t\":{\"0\":3600}}"));
    assertThat(directory.resolve("new/commits/36")).exists();
    assertThat(Files.readString(directory.resolve("new/metadata"))).contains(ID);
  }

  /** T03: an old archive was restored, and the sink is further. */
  @Test
  void anArchiveBehindItsSinkIsRefused() throws IOException {
    checkpoint(40, "{\"t\":{\"0\":4000}}");
    deltaSink(57);
    refused("--sink-delta", "sink");
    assertThat(console.printed()).contains("41..57", "ARCHIVE_BEHIND_SINK");
    refused("--sink-delta", "sink", "--strategy", "relocate");
    assertThat(console.printed()).contains("41..57");
  }

  /** T03: the same rule as for going back: a new id, and MERGE on keys. */
  @Test
  void anArchiveBehindItsSinkGoesOnUnderANewIdWithKeys() throws IOException {
    checkpoint(40, "{\"t\":{\"0\":4000}}");
    deltaSink(57);
    refused("--sink-delta", "sink", "--identity", "new");
    assertThat(console.printed()).contains("ARCHIVE_BEHIND_SINK");
    done("--sink-delta", "sink", "--identity", "new", "--keys", "id");
    assertThat(Files.readString(directory.resolve("new/metadata"))).doesNotContain(ID);
    assertThat(
            console.run(
                "reset",
                "chk",
                "--to",
                "other",
                "--dry-run",
                "--sink-delta",
                "sink",
                "--identity",
                "new",
                "--keys",
                "id"))
        .isZero();
    assertThat(console.printed()).contains("OVERLAP", "MERGE on id");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--strategy replay",
        "--strategy backfill",
        "--strategy start-options",
        "--strategy nonsense",
        "--batch 3",
        "--strategy relocate --batch 3",
        "--keys id --identity new",
        "--keys id --sink-delta sink",
        "--keys id --sink-delta sink --strategy relocate",
      })
  void flagsThatWouldBeIgnoredAreRefused(String flags) throws IOException {
    checkpoint(4, "{\"t\":{\"0\":40}}");
    deltaSink(4);
    List<String> arguments = new ArrayList<>(List.of("reset", "chk", "--to", "new"));
    arguments.addAll(List.of(flags.split(" ")));
    assertThat(console.run(arguments.toArray(String[]::new))).as(console.printed()).isEqualTo(2);
    assertThat(console.printed())
        .contains(flags.contains("strategy ") && !flags.contains("relocate") ? "--strategy" : "--");
    assertThat(directory.resolve("new")).doesNotExist();
  }

  /** T01, R01: back at an earlier batch, the numbers are lower than those that the table knows. */
  @Test
  void goingBackNeedsANewIdAndKeys() throws IOException {
    for (long batch = 0; batch < 5; batch++) {
      checkpoint(batch, "{\"t\":{\"0\":" + 10 * batch + "}}");
    }
    deltaSink(4);
    refused("--strategy", "rewind", "--batch", "2", "--sink-delta", "sink");
    assertThat(console.printed()).contains("SINK_BATCHES_SKIPPED");
    refused("--strategy", "rewind", "--batch", "2", "--sink-delta", "sink", "--identity", "new");
    assertThat(console.printed()).contains("SINK_ROWS_REPEATED");
    done(
        "--strategy",
        "rewind",
        "--batch",
        "2",
        "--sink-delta",
        "sink",
        "--identity",
        "new",
        "--keys",
        "a,b");
    assertThat(directory.resolve("new/commits/2")).exists();
    assertThat(directory.resolve("new/offsets/3")).doesNotExist();
    assertThat(Files.readString(directory.resolve("new/metadata"))).doesNotContain(ID);
  }

  /** F05: a file sink drops what has a number that its log knows, whatever the query's id. */
  @Test
  void aFileSinkThatIsFurtherIsRefused() throws IOException {
    checkpoint(3, "{\"t\":{\"0\":30}}");
    fileSink(500);
    for (String identity : List.of("keep", "new")) {
      refused("--sink-files", "out", "--identity", identity);
      assertThat(console.printed()).contains("500");
    }
  }

  /** F05: continued numbers are the remedy. */
  @Test
  void aFileSinkGetsTheNumbersAfterItsOwn() throws IOException {
    checkpoint(500, "{\"t\":{\"0\":30}}");
    fileSink(500);
    done("--sink-files", "out");
    assertThat(directory.resolve("new/commits/500")).exists();
  }

  /** F11: which files are done is carried along, so that no age decides anew. */
  @Test
  void theFilesThatWereSeenAreCarriedAlong() throws IOException {
    checkpoint(1, "{\"logOffset\":1}");
    for (int batch = 0; batch < 2; batch++) {
      write(
          "chk/sources/0/" + batch,
          "v1\n{\"path\":\"file://"
              + directory
              + "/in/"
              + batch
              + ".json\",\"timestamp\":"
              + (1_700_000_000_000L + batch)
              + ",\"batchId\":"
              + batch
              + "}");
    }
    done("--source", "0=files:in", "--identity", "new");
    for (int batch = 0; batch < 2; batch++) {
      assertThat(directory.resolve("new/sources/0/" + batch))
          .hasSameTextualContentAs(directory.resolve("chk/sources/0/" + batch));
    }
    assertThat(console.run("resume", "chk")).isEqualTo(3);
    assertThat(console.printed().replaceAll("\\s+", " "))
        .contains("FILES_WOULD_BE_REINGESTED", "ingests again 2 files");
  }

  /** Both ways end with 3, say why, and write nothing. */
  private void refused(String... flags) throws IOException {
    Map<String, String> before = Trees.bytesAndTimes(directory);
    for (boolean dry : new boolean[] {true, false}) {
      assertThat(reset(dry, flags)).as(console.printed()).isEqualTo(3);
      assertThat(console.printed()).contains("what to do");
      assertThat(Trees.bytesAndTimes(directory)).isEqualTo(before);
    }
  }

  /** The dry run writes nothing and says what the real one does. */
  private void done(String... flags) throws IOException {
    Map<String, String> before = Trees.bytesAndTimes(directory);
    assertThat(reset(true, flags)).as(console.printed()).isZero();
    assertThat(Trees.bytesAndTimes(directory)).isEqualTo(before);
    assertThat(reset(false, flags)).as(console.printed()).isZero();
    assertThat(Trees.bytesAndTimes(directory)).containsAllEntriesOf(before);
    assertThat(reset(false, flags)).as(console.printed()).isZero();
  }

  private int reset(boolean dry, String... flags) {
    List<String> line = new ArrayList<>(List.of("reset", "chk", "--to", "new"));
    line.addAll(List.of(flags));
    if (dry) {
      line.add("--dry-run");
    }
    return console.run(line.toArray(String[]::new));
  }

  private void checkpoint(long newest, String source) throws IOException {
    write("chk/metadata", "{\"id\":\"" + ID + "\"}");
    for (long batch = Math.max(0, newest - 1); batch <= newest; batch++) {
      write("chk/offsets/" + batch, offsets(source));
      write("chk/commits/" + batch, "v1\n{\"nextBatchWatermarkMs\":0}");
    }
  }

  private static String offsets(String source) {
    return "v1\n{\"batchWatermarkMs\":0,\"batchTimestampMs\":1,\"conf\":{}}\n" + source;
  }

  /** A table in which this query's last batch is the given one. */
  private void deltaSink(long batch) throws IOException {
    write(
        "sink/_delta_log/00000000000000000000.json",
        "{\"protocol\":{\"minReaderVersion\":1,\"minWriterVersion\":2}}\n"
            + "{\"metaData\":{\"id\":\"22222222-2222-4333-8444-555555555555\",\"format\":"
            + "{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":"
            + "\"{\\\"type\\\":\\\"struct\\\",\\\"fields\\\":[]}\",\"partitionColumns\":[],"
            + "\"configuration\":{},\"createdTime\":1}}\n"
            + "{\"txn\":{\"appId\":\""
            + ID
            + "\",\"version\":"
            + batch
            + "}}\n");
  }

  private void fileSink(long batch) throws IOException {
    write(
        "out/_spark_metadata/" + batch,
        "v1\n{\"path\":\"file://" + directory + "/out/a.json\",\"size\":1,\"action\":\"add\"}");
    write(
        "out/_spark_metadata/" + (batch - 1) + ".compact",
        "v1\n{\"path\":\"file://" + directory + "/out/b.json\",\"size\":1,\"action\":\"add\"}");
    write("out/a.json", "1");
    write("out/b.json", "1");
  }

  private void write(String path, String text) throws IOException {
    Path file = directory.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }
}
