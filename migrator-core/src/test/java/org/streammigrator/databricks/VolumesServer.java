package org.streammigrator.databricks;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * A workspace's Files API as Databricks' SDK asks it ({@code FilesImpl}), with one volume {@code
 * /Volumes/main/ops/chk} in memory. Its errors are those that Databricks' command line is written
 * against: 404 for a directory asked for as a file and the other way round, 409 {@code
 * ALREADY_EXISTS}, 400 with the reason {@code FILES_API_DIRECTORY_IS_NOT_EMPTY}.
 */
public final class VolumesServer implements AutoCloseable {
  public static final String VOLUME = "/Volumes/main/ops/chk";
  public static final String TOKEN = "dapiTESTTOKEN";

  /** Small pages, so that ordinary tests need several. */
  private static final int PAGE = 7;

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final DateTimeFormatter HTTP_DATE =
      DateTimeFormatter.ofPattern("EEE, dd MMM yyyy HH:mm:ss 'GMT'", java.util.Locale.ENGLISH);

  static {
    // Else every answer waits 40 ms for the client's acknowledgement of its headers.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private final Beside beside;
  private final HttpServer server;
  private final String volume;
  private final VolumeTree tree;
  private final ConcurrentLinkedQueue<Trouble> troubles = new ConcurrentLinkedQueue<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger atOnce = new AtomicInteger();
  private final AtomicInteger mostAtOnce = new AtomicInteger();

  /**
   * What happens to a request instead of what it asks for.
   *
   * @param status the answer; 0 to drop the connection without one, before anything is done, 1 to
   *     do what is asked and then drop it, 2 to send half of the answer's body and drop it
   */
  record Trouble(Predicate<String> request, int status, String retryAfter, String body) {}

  /** What serves the requests that are not for files. */
  interface Beside {
    /** Serves a request that may come in, and says whether it was one of its own. */
    boolean serve(HttpExchange exchange) throws IOException;
  }

  public VolumesServer() throws IOException {
    this(VOLUME, exchange -> false);
  }

  /** With another volume, and something beside it. */
  VolumesServer(String volume, Beside beside) throws IOException {
    this.volume = volume;
    this.tree = new VolumeTree(volume);
    this.beside = beside;
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
    server.createContext("/", this::handle);
    server.setExecutor(
        Executors.newCachedThreadPool(
            task -> {
              Thread thread = new Thread(task, "volumes-server");
              thread.setDaemon(true);
              return thread;
            }));
    server.start();
  }

  public String host() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Settings that reach the server, with short waits. */
  public Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("databricks.host", host());
    settings.put("databricks.token", TOKEN);
    settings.put("databricks.retry_interval", "2ms");
    return settings;
  }

  /** Lets the next request that fits meet with trouble. */
  void trouble(String startsWith, int status, String retryAfter, String body) {
    troubles.add(new Trouble(line -> line.startsWith(startsWith), status, retryAfter, body));
  }

  /** Answers the next request that fits with a failure. */
  void trouble(Predicate<String> request, int status) {
    troubles.add(new Trouble(request, status, null, ""));
  }

  /** Method and path of every request for files and directories, as they came over the wire. */
  List<String> requests() {
    return requests;
  }

  /** How many requests were served at the same time at most. */
  int mostAtOnce() {
    return mostAtOnce.get();
  }

  /** Puts a file into the volume, as a query inside of the workspace does. */
  public void put(String path, String text) {
    synchronized (tree) {
      tree.put(path, text.getBytes(UTF_8));
    }
  }

  /** The text of a file in the volume; null if there is none. */
  public String text(String path) {
    synchronized (tree) {
      VolumeTree.Entry entry = tree.get(path);
      return entry == null || entry.bytes() == null ? null : new String(entry.bytes(), UTF_8);
    }
  }

  /** The names in a directory of the volume. */
  public List<String> names(String directory) {
    synchronized (tree) {
      return tree.children(directory).stream()
          .map(path -> path.substring(path.lastIndexOf('/') + 1))
          .toList();
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private void handle(HttpExchange exchange) throws IOException {
    int now = atOnce.incrementAndGet();
    mostAtOnce.accumulateAndGet(now, Math::max);
    try (exchange) {
      serve(exchange);
    } catch (RuntimeException mistake) {
      answer(exchange, 500, String.valueOf(mistake));
    } finally {
      atOnce.decrementAndGet();
    }
  }

  private void serve(HttpExchange exchange) throws IOException {
    String raw = exchange.getRequestURI().getRawPath();
    if (raw.equals("/oidc/v1/token")) {
      token(exchange);
      return;
    }
    if (raw.equals("/oidc/.well-known/oauth-authorization-server")) {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      answer(exchange, 200, "{\"token_endpoint\":\"" + host() + "/oidc/v1/token\"}");
      return;
    }
    if (!raw.startsWith("/api/2.0/fs/")) {
      if (beside.serve(exchange)) {
        return;
      }
      answer(exchange, 404, "");
      return;
    }
    String query = exchange.getRequestURI().getRawQuery();
    String line =
        exchange.getRequestMethod()
            + " "
            + raw.substring("/api/2.0/fs/".length())
            + (query == null ? "" : "?" + query);
    requests.add(line);
    Trouble trouble = next(line);
    if (trouble != null && trouble.status() == 0) {
      return;
    }
    if (trouble != null && trouble.status() > 2) {
      exchange.getRequestBody().readAllBytes();
      if (trouble.retryAfter() != null) {
        exchange.getResponseHeaders().set("Retry-After", trouble.retryAfter());
      }
      answer(exchange, trouble.status(), trouble.body());
      return;
    }
    if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      String given = exchange.getRequestHeaders().getFirst("Authorization");
      answer(exchange, 403, error("PERMISSION_DENIED", "Invalid access token: " + given));
      return;
    }
    boolean files = raw.startsWith("/api/2.0/fs/files/");
    String path =
        decoded(raw.substring((files ? "/api/2.0/fs/files" : "/api/2.0/fs/directories").length()));
    if (!path.equals(volume) && !path.startsWith(volume + "/")) {
      answer(exchange, 404, error("NOT_FOUND", "Volume does not exist."));
      return;
    }
    synchronized (tree) {
      if (files) {
        files(exchange, path, query, trouble);
      } else {
        directories(exchange, path, query);
      }
    }
  }

  private Trouble next(String line) {
    Trouble trouble = troubles.peek();
    return trouble != null && trouble.request().test(line) ? troubles.poll() : null;
  }

  private void files(HttpExchange exchange, String path, String query, Trouble trouble)
      throws IOException {
    VolumeTree.Entry entry = tree.get(path);
    if (exchange.getRequestMethod().equals("PUT")) {
      put(exchange, path, query, entry, trouble);
      return;
    }
    if (entry == null || entry.bytes() == null) {
      answer(exchange, 404, error("NOT_FOUND", "The file does not exist."));
      return;
    }
    exchange.getResponseHeaders().set("Last-Modified", httpDate(entry.modified()));
    exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
    switch (exchange.getRequestMethod()) {
      case "HEAD" -> {
        exchange.getResponseHeaders().set("Content-Length", String.valueOf(entry.bytes().length));
        exchange.sendResponseHeaders(200, -1);
      }
      case "GET" -> get(exchange, entry, trouble);
      case "DELETE" -> {
        tree.remove(path);
        if (trouble == null) {
          answer(exchange, 204, "");
        }
      }
      default -> answer(exchange, 405, "");
    }
  }

  private void put(
      HttpExchange exchange, String path, String query, VolumeTree.Entry entry, Trouble trouble)
      throws IOException {
    byte[] bytes = exchange.getRequestBody().readAllBytes();
    if (entry != null && entry.bytes() == null) {
      answer(exchange, 409, error("ALREADY_EXISTS", "A directory is there."));
    } else if (entry != null && !"overwrite=true".equals(query)) {
      answer(exchange, 409, error("ALREADY_EXISTS", "The file being created already exists."));
    } else if (tree.isBelowAFile(path)) {
      answer(exchange, 400, error("BAD_REQUEST", "A file is where a directory is needed."));
    } else {
      tree.put(path, bytes);
      if (trouble == null) {
        answer(exchange, 204, "");
      }
    }
  }

  private void get(HttpExchange exchange, VolumeTree.Entry entry, Trouble trouble)
      throws IOException {
    String since = exchange.getRequestHeaders().getFirst("If-Unmodified-Since");
    if (since != null && !since.equals(httpDate(entry.modified()))) {
      answer(exchange, 412, error("PRECONDITION_FAILED", "modified"));
      return;
    }
    int from = 0;
    String range = exchange.getRequestHeaders().getFirst("Range");
    if (range != null) {
      from = Integer.parseInt(range.substring("bytes=".length(), range.length() - 1));
      if (from >= entry.bytes().length) {
        answer(exchange, 416, "");
        return;
      }
    }
    byte[] bytes = Arrays.copyOfRange(entry.bytes(), from, entry.bytes().length);
    exchange.sendResponseHeaders(range == null ? 200 : 206, bytes.length == 0 ? -1 : bytes.length);
    if (trouble != null) {
      exchange.getResponseBody().write(bytes, 0, bytes.length / 2);
      exchange.getResponseBody().flush();
    } else if (bytes.length > 0) {
      exchange.getResponseBody().write(bytes);
    }
  }

  private void directories(HttpExchange exchange, String path, String query) throws IOException {
    VolumeTree.Entry entry = tree.get(path);
    boolean there = entry != null && entry.bytes() == null;
    if (exchange.getRequestMethod().equals("PUT")) {
      if (entry != null && !there || tree.isBelowAFile(path)) {
        answer(exchange, 409, error("ALREADY_EXISTS", "A file is there."));
        return;
      }
      tree.makeDirectories(path);
      answer(exchange, 204, "");
      return;
    }
    if (!there) {
      answer(exchange, 404, error("NOT_FOUND", "The directory does not exist."));
      return;
    }
    switch (exchange.getRequestMethod()) {
      case "HEAD" -> answer(exchange, 200, "");
      case "GET" -> page(exchange, path, query);
      case "DELETE" -> {
        if (tree.children(path).isEmpty()) {
          tree.remove(path);
          answer(exchange, 204, "");
        } else {
          answer(exchange, 400, notEmpty());
        }
      }
      default -> answer(exchange, 405, "");
    }
  }

  private void page(HttpExchange exchange, String path, String query) throws IOException {
    List<String> children = tree.children(path);
    int from =
        query == null
            ? 0
            : Integer.parseInt(
                decoded(query.substring("page_token=".length())).substring("+/".length()));
    ObjectNode page = JSON.createObjectNode();
    ArrayNode contents = page.putArray("contents");
    for (String child : children.subList(from, Math.min(children.size(), from + PAGE))) {
      VolumeTree.Entry entry = tree.get(child);
      ObjectNode item = contents.addObject();
      item.put("path", child).put("name", child.substring(child.lastIndexOf('/') + 1));
      item.put("is_directory", entry.bytes() == null).put("last_modified", entry.modified());
      if (entry.bytes() != null) {
        item.put("file_size", entry.bytes().length);
      }
    }
    if (from + PAGE < children.size()) {
      // Opaque to the client, and in need of encoding.
      page.put("next_page_token", "+/" + (from + PAGE));
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    answer(exchange, 200, page.toString());
  }

  private void token(HttpExchange exchange) throws IOException {
    exchange.getRequestBody().readAllBytes();
    String expected =
        "Basic "
            + java.util.Base64.getEncoder().encodeToString("client:clientSECRET".getBytes(UTF_8));
    if (!expected.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
      answer(exchange, 401, "{\"error\":\"invalid_client\"}");
      return;
    }
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    answer(
        exchange,
        200,
        "{\"access_token\":\"" + TOKEN + "\",\"token_type\":\"Bearer\",\"expires_in\":3600}");
  }

  private static String httpDate(long millis) {
    return HTTP_DATE.format(
        ZonedDateTime.ofInstant(Instant.ofEpochMilli(millis), ZoneOffset.UTC)
            .truncatedTo(ChronoUnit.SECONDS));
  }

  static String error(String code, String message) {
    return JSON.createObjectNode().put("error_code", code).put("message", message).toString();
  }

  private static String notEmpty() {
    ObjectNode error =
        JSON.createObjectNode().put("error_code", "BAD_REQUEST").put("message", "not empty");
    error
        .putArray("details")
        .addObject()
        .put("@type", "type.googleapis.com/google.rpc.ErrorInfo")
        .put("reason", "FILES_API_DIRECTORY_IS_NOT_EMPTY");
    return error.toString();
  }

  static void answer(HttpExchange exchange, int status, String body) throws IOException {
    boolean bodiless = body.isEmpty() || exchange.getRequestMethod().equals("HEAD");
    byte[] bytes = body.getBytes(UTF_8);
    exchange.sendResponseHeaders(status, bodiless ? -1 : bytes.length);
    if (!bodiless) {
      exchange.getResponseBody().write(bytes);
    }
  }

  /** Percent-decodes, and nothing else: a plus is a plus. */
  private static String decoded(String text) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) == '%') {
        bytes.write(Integer.parseInt(text.substring(i + 1, i + 3), 16));
        i += 2;
      } else {
        bytes.write(text.charAt(i));
      }
    }
    return bytes.toString(UTF_8);
  }
}
