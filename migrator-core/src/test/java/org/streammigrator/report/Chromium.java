package org.streammigrator.report;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A headless Chromium, told what to do by its own DevTools protocol. */
final class Chromium implements AutoCloseable {
  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final List<String> NAMES =
      List.of("chromium", "chromium-browser", "google-chrome", "google-chrome-stable");

  private final Process process;
  private final WebSocket socket;
  private final BlockingQueue<JsonNode> messages = new LinkedBlockingQueue<>();
  private final List<String> errors = new ArrayList<>();
  private String session;
  private int number;

  /** Where one is installed; empty if none is. */
  static Optional<Path> installed() {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .flatMap(directory -> NAMES.stream().map(name -> Path.of(directory, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  Chromium(Path program, Path profile) throws Exception {
    process =
        new ProcessBuilder(
                program.toString(),
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--hide-scrollbars",
                "--remote-debugging-port=0",
                "--user-data-dir=" + profile,
                "about:blank")
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.PIPE)
            .start();
    socket =
        HttpClient.newHttpClient()
            .newWebSocketBuilder()
            .buildAsync(URI.create(address()), new Listener())
            .get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    String target =
        call("Target.createTarget", MAPPER.createObjectNode().put("url", "about:blank"))
            .path("targetId")
            .asText();
    session =
        call(
                "Target.attachToTarget",
                MAPPER.createObjectNode().put("targetId", target).put("flatten", true))
            .path("sessionId")
            .asText();
    for (String domain : List.of("Page", "Runtime", "Log", "Network")) {
      call(domain + ".enable", MAPPER.createObjectNode());
    }
  }

  /** What it says on its standard error once it listens. */
  private String address() throws IOException {
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    StringBuilder all = new StringBuilder();
    for (String line = said.readLine(); line != null; line = said.readLine()) {
      all.append(line).append('\n');
      int at = line.indexOf("ws://");
      if (at >= 0) {
        Thread rest = new Thread(() -> said.lines().forEach(ignored -> {}), "chromium");
        rest.setDaemon(true);
        rest.start();
        return line.substring(at).strip();
      }
    }
    throw new IOException("chromium ended before it listened:\n" + all);
  }

  private final class Listener implements WebSocket.Listener {
    private final StringBuilder part = new StringBuilder();

    @Override
    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
      part.append(text);
      if (isLast) {
        try {
          messages.add(MAPPER.readTree(part.toString()));
        } catch (IOException impossible) {
          throw new UncheckedIOException(impossible);
        }
        part.setLength(0);
      }
      from.request(1);
      return null;
    }
  }

  private JsonNode call(String method, ObjectNode parameters) throws Exception {
    int id = ++number;
    ObjectNode message = MAPPER.createObjectNode().put("id", id).put("method", method);
    message.set("params", parameters);
    if (session != null) {
      message.put("sessionId", session);
    }
    socket.sendText(message.toString(), true).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    while (true) {
      JsonNode answer = next();
      if (answer.path("id").asInt(-1) == id) {
        if (answer.has("error")) {
          throw new IOException(method + ": " + answer.path("error"));
        }
        return answer.path("result");
      }
    }
  }

  /** The next message; what a page complains of is kept. */
  private JsonNode next() throws Exception {
    JsonNode message = messages.poll(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    if (message == null) {
      throw new IOException("chromium does not answer");
    }
    switch (message.path("method").asText()) {
      case "Log.entryAdded" ->
          errors.add(message.path("params").path("entry").path("text").asText());
      case "Runtime.exceptionThrown", "Runtime.consoleAPICalled", "Network.loadingFailed" ->
          errors.add(message.toString());
      case "Network.requestWillBeSent" -> {
        String url = message.path("params").path("request").path("url").asText();
        if (!url.startsWith("file:") && !url.startsWith("data:") && !url.startsWith("about:")) {
          errors.add("a request to " + url);
        }
      }
      default -> {}
    }
    return message;
  }

  /**
   * Opens a page and waits until it is loaded.
   *
   * @param width of the window, in CSS pixels
   * @param scheme {@code light} or {@code dark}
   */
  void open(Path page, int width, String scheme) throws Exception {
    errors.clear();
    call(
        "Emulation.setDeviceMetricsOverride",
        MAPPER
            .createObjectNode()
            .put("width", width)
            .put("height", 900)
            .put("deviceScaleFactor", 1)
            .put("mobile", width < 600));
    ObjectNode media = MAPPER.createObjectNode();
    media.putArray("features").addObject().put("name", "prefers-color-scheme").put("value", scheme);
    call("Emulation.setEmulatedMedia", media);
    call("Page.navigate", MAPPER.createObjectNode().put("url", page.toUri().toString()));
    while (!next().path("method").asText().equals("Page.loadEventFired")) {
      // Whatever else it says.
    }
  }

  /** The value of an expression in the page. */
  JsonNode evaluate(String expression) throws Exception {
    JsonNode result =
        call(
            "Runtime.evaluate",
            MAPPER.createObjectNode().put("expression", expression).put("returnByValue", true));
    if (result.has("exceptionDetails")) {
      throw new IOException(expression + ": " + result.path("exceptionDetails"));
    }
    return result.path("result").path("value");
  }

  /** What the page complained of so far. */
  List<String> errors() {
    return List.copyOf(errors);
  }

  /** The whole page as it is now, as a PNG. */
  byte[] picture() throws Exception {
    return Base64.getDecoder()
        .decode(
            call(
                    "Page.captureScreenshot",
                    MAPPER
                        .createObjectNode()
                        .put("format", "png")
                        .put("captureBeyondViewport", true))
                .path("data")
                .asText());
  }

  /** The page as it is printed, as a PDF. */
  byte[] printed() throws Exception {
    return Base64.getDecoder()
        .decode(
            call("Page.printToPDF", MAPPER.createObjectNode().put("printBackground", true))
                .path("data")
                .asText());
  }

  @Override
  public void close() throws Exception {
    try {
      session = null;
      call("Browser.close", MAPPER.createObjectNode());
      process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    } finally {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
