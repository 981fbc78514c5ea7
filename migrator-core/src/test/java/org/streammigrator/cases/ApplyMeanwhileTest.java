package org.streammigrator.cases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.streammigrator.cli.Cli;
import org.streammigrator.cli.CliContext;
import org.streammigrator.cli.ExitCode;
import org.streammigrator.storage.LocalStore;
import org.streammigrator.storage.Store;

/** What others do to the world while a plan is applied, or between two attempts. */
class ApplyMeanwhileTest {
  @TempDir private Path root;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @FunctionalInterface
  private interface Event {
    void happen() throws IOException;
  }

  /** A query that is stopped before its pending batch is in the sink. */
  @BeforeEach
  void pendingBatch() throws IOException {
    TreeFile.expand(
        """
        offsets/40 = v1\\nH\\n{"t":{"0":4000}}
        offsets/41 = v1\\nH\\n{"t":{"0":4100}}
        offsets/42 = v1\\nH\\n{"t":{"0":4200}}
        commits/{40,41} = CM
        metadata = M
        /sink/_delta_log/00000000000000000000.json = {"protocol":{"minReaderVersion":1,"minWriterVersion":2}}\\n{"metaData":{"id":"TID_B","format":{"provider":"parquet","options":{}},"schemaString":"{\\"type\\":\\"struct\\",\\"fields\\":[]}","partitionColumns":[],"configuration":{}}}\\n{"txn":{"appId":"11111111-2222-4333-8444-555555555555","version":41}}
        """,
        root);
    plan("");
  }

  private void plan(String more) throws IOException {
    Files.writeString(
        root.resolve("plan.yaml"),
        """
        version: 1
        name: p
        streams:
          - name: s
            strategy: seed
            checkpoint: {from: chk, to: new}
            sink: {delta: sink}
        """
            + more);
  }

  private int apply(Store store) {
    out.reset();
    PrintStream print = new PrintStream(out, true, UTF_8);
    return Cli.run(
        List.of("apply", "plan.yaml"),
        print,
        print,
        CliContext.ofProcess().withDirectory(root).withStore(store));
  }

  /**
   * A store before whose first call of a method, on a place that is named so, something happens.
   */
  private static Store before(String method, String place, Event event) {
    boolean[] happened = new boolean[1];
    Store store = new LocalStore();
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, called, arguments) -> {
              if (!happened[0]
                  && called.getName().equals(method)
                  && arguments[0].toString().endsWith(place)) {
                happened[0] = true;
                event.happen();
              }
              try {
                return called.invoke(store, arguments);
              } catch (InvocationTargetException thrown) {
                throw thrown.getCause();
              }
            });
  }

  @Test
  void thePendingBatchGetsIntoTheSink() throws IOException {
    Store store =
        before(
            "writeLater",
            ".new.migrator-staging/metadata",
            () ->
                Files.writeString(
                    root.resolve("sink/_delta_log/00000000000000000001.json"),
                    "{\"txn\":{\"appId\":\"" + TreeFile.QUERY + "\",\"version\":42}}"));
    assertThat(apply(store)).as(out.toString(UTF_8)).isEqualTo(ExitCode.REFUSED);
    assertThat(out.toString(UTF_8)).contains("OLD_CHECKPOINT_GROWS", "its sink got further");
    assertThat(root.resolve("new")).doesNotExist();

    assertThat(apply(new LocalStore())).as(out.toString(UTF_8)).isZero();
    assertThat(root.resolve("new/commits/42")).exists();
  }

  @Test
  void theOldCheckpointGrows() throws IOException {
    Store store =
        before(
            "writeLater",
            ".new.migrator-staging/metadata",
            () -> Files.writeString(root.resolve("chk/commits/42"), "v1\n{}"));
    assertThat(apply(store)).as(out.toString(UTF_8)).isEqualTo(ExitCode.REFUSED);
    assertThat(out.toString(UTF_8)).contains("OLD_CHECKPOINT_GROWS");
    assertThat(root.resolve("new")).doesNotExist();
  }

  @Test
  void theTargetIsMadeBySomebodyElseBetweenTwoAttempts() throws IOException {
    Store store =
        before(
            "publish",
            ".new.migrator-staging",
            () -> {
              throw new IOException("crash");
            });
    assertThat(apply(store)).isEqualTo(ExitCode.STOPPED);
    Files.createDirectories(root.resolve("new"));
    Files.writeString(root.resolve("new/metadata"), "{\"id\":\"another\"}");

    assertThat(apply(new LocalStore())).as(out.toString(UTF_8)).isEqualTo(ExitCode.REFUSED);
    assertThat(out.toString(UTF_8)).contains("TARGET_NOT_EMPTY");
  }

  @Test
  void aQueryIdBelongsToOneTarget() throws IOException {
    plan("    identity: new\n");
    Files.delete(root.resolve("chk/offsets/42"));
    assertThat(apply(new LocalStore())).as(out.toString(UTF_8)).isZero();
    Files.writeString(
        root.resolve("plan.yaml"),
        Files.readString(root.resolve("plan.yaml")).replace("to: new}", "to: newer}"));
    assertThat(apply(new LocalStore())).as(out.toString(UTF_8)).isZero();
    assertThat(Files.readString(root.resolve("newer/metadata")))
        .isNotEqualTo(Files.readString(root.resolve("new/metadata")));
  }
}
