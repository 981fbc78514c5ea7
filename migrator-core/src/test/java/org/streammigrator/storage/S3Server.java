package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.s3a.S3AFileSystem;

/**
 * A real S3 server, one for all tests of a JVM. Its class path is built by the module {@code
 * src-test-fixtures/s3proxy}; without it the tests are skipped, and say so.
 */
public final class S3Server {
  private static final Path CLASS_PATH =
      Path.of("../src-test-fixtures/s3proxy/target/s3proxy.classpath");
  private static S3Server running;

  private final int port;
  private final Path directory;
  private Process process;

  private S3Server(int port, Path directory, Process process) {
    this.port = port;
    this.directory = directory;
    this.process = process;
  }

  /** The server, started when it is first asked for. */
  public static synchronized S3Server get() throws IOException {
    requireClassPath();
    if (running == null) {
      running = start(Files.createTempDirectory("s3proxy"), "jclouds.provider=transient-nio2");
    }
    return running;
  }

  /** A server of its own, which keeps what it has in a directory when it is killed. */
  public static S3Server keeping(Path directory) throws IOException {
    requireClassPath();
    Path data = Files.createDirectories(directory.resolve("data"));
    return start(
        directory, "jclouds.provider=filesystem-nio2", "jclouds.filesystem.basedir=" + data);
  }

  private static void requireClassPath() {
    if (!Files.exists(CLASS_PATH)) {
      System.err.println(
          "SKIPPED: no S3 server for the tests; build the module src-test-fixtures/s3proxy first");
    }
    assumeThat(CLASS_PATH).exists();
  }

  /** Kills the process as {@code kill -9} does. */
  public void kill() {
    process.destroyForcibly().onExit().join();
  }

  /** Starts it again, at the same port. */
  public void restart() throws IOException {
    process = launch(directory, port);
  }

  private static S3Server start(Path directory, String... backend) throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Path properties = directory.resolve("s3proxy.conf");
    List<String> lines =
        new ArrayList<>(
            List.of(
                "s3proxy.endpoint=http://127.0.0.1:" + port,
                "s3proxy.authorization=aws-v2-or-v4",
                "s3proxy.identity=AKIDTEST",
                "s3proxy.credential=SECRETTEST"));
    lines.addAll(List.of(backend));
    Files.write(properties, lines);
    Path logging = directory.resolve("logback.xml");
    Files.writeString(logging, "<configuration><root level=\"OFF\"/></configuration>");
    return new S3Server(port, directory, launch(directory, port));
  }

  private static Process launch(Path directory, int port) throws IOException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Dlogback.configurationFile=" + directory.resolve("logback.xml"),
                "-cp",
                Files.readString(CLASS_PATH).strip(),
                "org.gaul.s3proxy.Main",
                "--properties",
                directory.resolve("s3proxy.conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (true) {
      try (Socket connected = new Socket(InetAddress.getLoopbackAddress(), port)) {
        assertThat(connected.isConnected()).isTrue();
        return process;
      } catch (IOException notYet) {
        assertThat(process.isAlive()).as("the S3 server runs").isTrue();
        assertThat(System.nanoTime()).as("the S3 server answers in time").isLessThan(end);
        Thread.onSpinWait();
      }
    }
  }

  /** Hadoop settings that reach the server. */
  public Map<String, String> settings() {
    return Map.ofEntries(
        Map.entry("fs.s3a.endpoint", "http://127.0.0.1:" + port),
        Map.entry("fs.s3a.endpoint.region", "us-east-1"),
        Map.entry("fs.s3a.path.style.access", "true"),
        Map.entry("fs.s3a.connection.ssl.enabled", "false"),
        Map.entry("fs.s3a.access.key", "AKIDTEST"),
        Map.entry("fs.s3a.secret.key", "SECRETTEST"),
        Map.entry("fs.s3a.attempts.maximum", "2"),
        Map.entry(
            "fs.s3a.aws.credentials.provider",
            "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider"));
  }

  /** A bucket of its own for a test. */
  public Location newBucket() throws IOException {
    String name = "b" + UUID.randomUUID();
    try (S3AFileSystem files = new S3AFileSystem()) {
      files.initialize(java.net.URI.create("s3a://" + name), HadoopStore.configuration(settings()));
      files.getS3AInternals().getAmazonS3Client("test").createBucket(r -> r.bucket(name));
    }
    return Location.parse("s3a://" + name, Path.of("/"));
  }

  /** All stores, with the settings of this server for a bucket. */
  public Stores stores(Location bucket) {
    return new Stores(new StorageSettings(Map.of(bucket, settings())));
  }
}
