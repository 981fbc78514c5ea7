package org.streammigrator.storage;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the shortcut to small objects cannot do, the SDK's client does. */
class S3ShortcutTest {
  private static final Location BUCKET = Location.parse("s3a://lake", Path.of("/"));
  private static final byte[] BYTES = "bytes".getBytes(UTF_8);

  /** Only the SDK's client numbers its attempts. */
  private static final String OF_THE_CLIENT = "amz-sdk-request";

  private final AtomicInteger direct = new AtomicInteger();
  private final AtomicInteger byTheClient = new AtomicInteger();
  private HttpServer server;
  private int directAnswer = 200;
  private Map<String, String> settings;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::answer);
    server.start();
    settings =
        new HashMap<>(
            Map.of(
                "fs.s3a.endpoint", "http://127.0.0.1:" + server.getAddress().getPort(),
                "fs.s3a.endpoint.region", "us-east-1",
                "fs.s3a.path.style.access", "true",
                "fs.s3a.connection.ssl.enabled", "false",
                "fs.s3a.access.key", "AKIDTEST",
                "fs.s3a.secret.key", "SECRETTEST",
                "fs.s3a.attempts.maximum", "1",
                "fs.s3a.aws.credentials.provider",
                    "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider"));
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private void answer(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    boolean client = exchange.getRequestHeaders().containsKey(OF_THE_CLIENT);
    (client ? byTheClient : direct).incrementAndGet();
    int status = client ? 200 : directAnswer;
    exchange.getResponseHeaders().add("ETag", "\"tag\"");
    if (status == 200 && exchange.getRequestMethod().equals("GET")) {
      exchange.sendResponseHeaders(200, BYTES.length);
      exchange.getResponseBody().write(BYTES);
    } else {
      exchange.sendResponseHeaders(status, -1);
    }
    exchange.close();
  }

  private Store store() {
    return new Stores(new StorageSettings(Map.of(BUCKET, settings)));
  }

  @Test
  void smallObjectsTakeOneRequest() throws IOException {
    Store store = store();
    Receipt receipt = store.write(BUCKET.child("a b%20ü"), Content.of(BYTES), Optional.empty());
    assertThat(receipt.tag()).hasValue("\"tag\"");
    assertThat(receipt.verified()).isFalse();
    assertThat(store.readAll(BUCKET.child("a b%20ü"))).isEqualTo(BYTES);
    assertThat(direct).hasValue(2);
    assertThat(byTheClient).hasValue(0);
  }

  @Test
  void whatIsNotAnsweredIsLeftToTheClientAndInTheEndNotTried() throws IOException {
    directAnswer = 500;
    Store store = store();
    for (int i = 0; i < 10; i++) {
      store.write(BUCKET.child("a" + i), Content.of(BYTES), Optional.empty());
      assertThat(store.readAll(BUCKET.child("a" + i))).isEqualTo(BYTES);
    }
    assertThat(byTheClient).hasValue(20);
    assertThat(direct).hasValue(8);
  }

  @Test
  void anAnswerKeepsItTrying() throws IOException {
    Store store = store();
    for (int i = 0; i < 20; i++) {
      directAnswer = i % 2 == 0 ? 503 : 200;
      assertThat(store.readAll(BUCKET.child("a"))).isEqualTo(BYTES);
    }
    assertThat(direct).hasValue(20);
    assertThat(byTheClient).hasValue(10);
  }

  @Test
  void settingsThatItDoesNotKnowAreLeftToTheClient() throws IOException {
    settings.put("fs.s3a.requester.pays.enabled", "true");
    assertThat(store().readAll(BUCKET.child("a"))).isEqualTo(BYTES);
    assertThat(direct).hasValue(0);
    assertThat(byTheClient).hasValue(1);
  }
}
