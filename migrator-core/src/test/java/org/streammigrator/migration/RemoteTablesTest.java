package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.S3Server;
import org.streammigrator.storage.Store;

/** Delta tables and file sinks on a real S3 server are asked what a local one is asked. */
class RemoteTablesTest {
  private static final String WINDOW =
      """
      changes: [{kind: aggregate}]
          query: {outputMode: append, operators: [{kind: window, size: 5m, slide: 5m, delay: 10m}]}
      """;

  @TempDir private Path directory;
  private S3Server server;
  private Location bucket;
  private Store store;
  private Console console;

  @BeforeEach
  void begin() throws IOException {
    server = S3Server.get();
    bucket = server.newBucket();
    store = server.stores(bucket);
    console = new Console(directory);
    ReplayHome.at(directory);
    upload("orders");
    upload("gold");
  }

  private void upload(String table) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(table))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        store.write(
            bucket.child(directory.relativize(file).toString()),
            Content.of(Files.readAllBytes(file)),
            Optional.empty());
      }
    }
  }

  private JsonNode planned(String tables, String strategy) throws IOException {
    Files.writeString(
        directory.resolve("plan.yaml"),
        """
        version: 1
        name: windows
        streams:
          - name: orders
            checkpoint: {from: v1, to: v2}
            sources: [{delta: %s/orders, eventTime: event_time}]
            sink: {delta: %s/gold, keys: [window_start]}
            strategy: %s
        """
            .formatted(tables, tables, strategy));
    console.run(store, "plan", "plan.yaml", "-o", "json");
    return new com.fasterxml.jackson.databind.ObjectMapper()
        .readTree(console.printed())
        .at("/streams/0");
  }

  @Test
  void aReplayFindsTheSameBeginning() throws IOException {
    JsonNode local = planned(directory.toString(), "replay\n    " + WINDOW);
    JsonNode remote = planned(bucket.toString(), "replay\n    " + WINDOW);
    assertThat(remote.at("/replay/range/sources/0/from"))
        .as(console.printed())
        .isNotEmpty()
        .isEqualTo(local.at("/replay/range/sources/0/from"));
    for (String key : new String[] {"files", "bytes", "records", "neededRecords"}) {
      assertThat(remote.at("/replay/range/sources/0/" + key))
          .isEqualTo(local.at("/replay/range/sources/0/" + key));
    }
    assertThat(remote.path("findings")).isEqualTo(local.path("findings"));
    assertThat(remote.path("exactness")).isEqualTo(local.path("exactness"));
  }

  /** A table that has the later batches skips what a rewound query plans. */
  @Test
  void theSinksRecordCounts() throws IOException {
    JsonNode remote = planned(bucket.toString(), "rewind\n    batch: 5");
    assertThat(remote.path("findings").toString())
        .contains("SINK_BATCHES_SKIPPED", "the table has a record of batch");
  }

  @Test
  void aTableThatIsNotThereIsSaid() throws IOException {
    JsonNode remote = planned(bucket + "/other", "relocate");
    assertThat(remote.path("findings").toString()).contains("SOURCE_NOT_FOUND", "SINK_NOT_FOUND");
  }

  /** What this machine does not reach another one may. */
  @Test
  void aTableThatCannotBeReachedIsNotTrustedAndForbidsNothing() throws IOException {
    JsonNode remote = planned("nosuch://x", "relocate");
    assertThat(remote.path("findings").toString())
        .contains("NOT_AVAILABLE", "it cannot be asked from here");
    assertThat(remote.path("refused").asBoolean()).isFalse();
    assertThat(planned("nosuch://x", "rewind\n    batch: 5").path("findings").toString())
        .contains("SINK_BATCHES_SKIPPED", "it cannot be asked from here");
  }
}
