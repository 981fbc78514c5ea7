package org.streammigrator.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What S3 answers when there are too many requests. */
class S3ThrottleTest {

  @ParameterizedTest
  @ValueSource(ints = {429, 503})
  void isToldWithTheTimeThatItAsksFor(int status) throws IOException {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          exchange.getResponseHeaders().add("Retry-After", "7");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    try {
      Location bucket = Location.parse("s3a://lake", Path.of("/"));
      Map<String, String> settings =
          Map.of(
              "fs.s3a.endpoint", "http://127.0.0.1:" + server.getAddress().getPort(),
              "fs.s3a.endpoint.region", "us-east-1",
              "fs.s3a.path.style.access", "true",
              "fs.s3a.connection.ssl.enabled", "false",
              "fs.s3a.access.key", "AKIDTEST",
              "fs.s3a.secret.key", "SECRETTEST",
              "fs.s3a.attempts.maximum", "1",
              "fs.s3a.aws.credentials.provider",
                  "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider");
      Stores stores = new Stores(new StorageSettings(Map.of(bucket, settings)));
      for (Location file : new Location[] {bucket.child("a"), bucket.child("b é")}) {
        assertThatThrownBy(() -> stores.readAll(file))
            .isInstanceOfSatisfying(
                ThrottledException.class,
                told -> {
                  assertThat(told.retryAfter()).isEqualTo(Optional.of(Duration.ofSeconds(7)));
                  assertThat(told).hasMessageContaining(file.toString());
                });
        assertThatThrownBy(() -> stores.write(file, Content.of(new byte[3]), Optional.empty()))
            .isInstanceOf(ThrottledException.class);
      }
    } finally {
      server.stop(0);
    }
  }
}
