package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * A real Azure Blob server (Azurite), one for all tests of a JVM. It is installed by {@code npm ci}
 * in {@code src-test-fixtures/azurite}; without it, or without Node, the tests are skipped, and say
 * so.
 */
public final class AzureServer {
  private static final Path PROGRAM =
      Path.of("../src-test-fixtures/azurite/node_modules/azurite/dist/src/blob/main.js");

  /** Azurite's one account, whose key everybody knows. */
  private static final String ACCOUNT = "devstoreaccount1";

  public static final String KEY =
      "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

  private static AzureServer running;

  private final int port;

  private AzureServer(int port) {
    this.port = port;
  }

  /** The server, started when it is first asked for. */
  public static synchronized AzureServer get() throws IOException {
    boolean installed = Files.exists(PROGRAM) && hasNode();
    if (!installed) {
      System.err.println(
          "SKIPPED: no Azure server for the tests; install Node and run 'npm ci' in"
              + " src-test-fixtures/azurite");
    }
    assumeThat(installed).as("Azurite is installed").isTrue();
    if (running == null) {
      running = start();
    }
    return running;
  }

  private static boolean hasNode() {
    try {
      Process version =
          new ProcessBuilder("node", "--version")
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      return version.waitFor() == 0;
    } catch (IOException none) {
      return false;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  private static AzureServer start() throws IOException {
    Path directory = Files.createTempDirectory("azurite");
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Process process =
        new ProcessBuilder(
                "node",
                PROGRAM.toAbsolutePath().toString(),
                "--inMemoryPersistence",
                "--silent",
                "--skipApiVersionCheck",
                "--disableTelemetry",
                "--blobHost",
                "127.0.0.1",
                "--blobPort",
                String.valueOf(port))
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(connected.isConnected()).isTrue();
        return new AzureServer(port);
      } catch (IOException notYet) {
        assertThat(process.isAlive()).as("the Azure server runs").isTrue();
        assertThat(System.nanoTime()).as("the Azure server answers in time").isLessThan(end);
        Thread.onSpinWait();
      }
    }
  }

  /** Hadoop settings that reach the server, which has no hierarchical namespace and no TLS. */
  public Map<String, String> settings() {
    return Map.ofEntries(
        Map.entry("fs.azure.account.key." + ACCOUNT + ".dfs.core.windows.net", KEY),
        Map.entry("fs.azure.abfs.endpoint", "127.0.0.1:" + port),
        Map.entry("fs.azure.always.use.https", "false"),
        Map.entry("fs.azure.account.hns.enabled", "false"),
        Map.entry("fs.azure.fns.account.service.type", "BLOB"),
        Map.entry("fs.azure.ingress.service.type", "BLOB"),
        Map.entry("fs.azure.networking.library", "JDK_HTTP_URL_CONNECTION"),
        Map.entry("fs.azure.createRemoteFileSystemDuringInitialization", "true"),
        Map.entry("fs.azure.io.retry.max.retries", "1"));
  }

  /** A container of its own for a test; it is made when it is first used. */
  public Location newContainer() {
    return Location.parse(
        "abfs://c" + UUID.randomUUID() + "@" + ACCOUNT + ".dfs.core.windows.net", Path.of("/"));
  }

  /** All stores, with the settings of this server for a container. */
  public Stores stores(Location container) {
    return new Stores(new StorageSettings(Map.of(container, settings())));
  }
}
