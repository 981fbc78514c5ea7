package org.streammigrator.databricks;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.http.Header;
import org.apache.http.HttpEntity;
import org.apache.http.client.config.RequestConfig;
import org.apache.http.client.methods.CloseableHttpResponse;
import org.apache.http.client.methods.HttpUriRequest;
import org.apache.http.client.methods.RequestBuilder;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClientBuilder;
import org.apache.http.util.EntityUtils;
import org.streammigrator.storage.Location;

/**
 * The requests of Databricks' Files API ({@code /api/2.0/fs/files}, {@code
 * /api/2.0/fs/directories}), as {@code FilesImpl} of the SDK makes them, with the SDK's host and
 * credentials.
 *
 * <p>The SDK's own client is not used for them: it decodes the path again where a request has a
 * query, so that {@code k=%20v} is uploaded as another file; it sends the rest of a stream, which
 * is nothing, when it repeats an upload; and it takes answers compressed, whose length is not that
 * of the file.
 */
final class FilesApi {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int TIMEOUT_MS = 120_000;

  /**
   * No bound in practice: callers bound what they do at once, and those who read one file while
   * they write another would wait for each other for ever.
   */
  private static final int CONNECTIONS = 1000;

  private static final int LONGEST_MESSAGE = 300;
  private static final long ASK_FIRST = 1 << 20;

  private static final RequestConfig CONFIG =
      RequestConfig.custom()
          .setConnectTimeout(TIMEOUT_MS)
          .setSocketTimeout(TIMEOUT_MS)
          .setNormalizeUri(false)
          .setContentCompressionEnabled(false)
          .build();

  private final Workspace workspace;
  private final Retries retries;
  private final CloseableHttpClient client;

  FilesApi(Workspace workspace, Retries retries) {
    this.workspace = workspace;
    this.retries = retries;
    this.client =
        HttpClientBuilder.create()
            .useSystemProperties()
            .setDefaultRequestConfig(CONFIG)
            .setMaxConnTotal(CONNECTIONS)
            .setMaxConnPerRoute(CONNECTIONS)
            .setUserAgent("migrator")
            .disableAutomaticRetries()
            // Whoever answers with another place is no workspace, and gets no token there.
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableAuthCaching()
            .build();
  }

  /**
   * An answer whose body the caller reads and closes.
   *
   * @param status 200 to 299
   */
  record Answer(int status, CloseableHttpResponse response) implements AutoCloseable {
    Optional<String> header(String name) {
      return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    @Override
    public void close() throws IOException {
      response.close();
    }
  }

  /** A request for a file. */
  RequestBuilder files(String method, Location file) {
    return request(method, "/api/2.0/fs/files", file, "");
  }

  /** A request for a directory. */
  RequestBuilder directories(String method, Location directory) {
    return request(method, "/api/2.0/fs/directories", directory, "");
  }

  /** One page of a directory. */
  RequestBuilder page(Location directory, String token) {
    String query = token.isEmpty() ? "" : "?page_token=" + encoded(token, "");
    return request("GET", "/api/2.0/fs/directories", directory, query)
        .setHeader("Accept", "application/json");
  }

  /** An upload that fails if the file is there. */
  RequestBuilder upload(Location file, HttpEntity bytes) {
    RequestBuilder request =
        request("PUT", "/api/2.0/fs/files", file, "?overwrite=false").setEntity(bytes);
    // A refusal that comes while many bytes are under way would be lost with the connection.
    return bytes.getContentLength() < ASK_FIRST
        ? request
        : request.setConfig(RequestConfig.copy(CONFIG).setExpectContinueEnabled(true).build());
  }

  private RequestBuilder request(String method, String kind, Location place, String query) {
    return RequestBuilder.create(method)
        .setUri(workspace.host() + kind + encoded(place.path(), "/") + query);
  }

  /** Sends a request until it is answered for good, and drops the answer's body. */
  void run(RequestBuilder request, Location place) throws IOException {
    try (Answer answer = send(request, place)) {
      EntityUtils.consume(answer.response().getEntity());
    }
  }

  /** Sends a request until it is answered for good, with JSON. */
  JsonNode json(RequestBuilder request, Location place) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Answer answer = send(request, place);
      try (answer) {
        HttpEntity body = answer.response().getEntity();
        JsonNode json = body == null ? null : JSON.readTree(body.getContent());
        if (json != null && json.isObject()) {
          return json;
        }
        throw notTheFilesApi(place);
      } catch (JsonProcessingException malformed) {
        throw notTheFilesApi(place);
      } catch (FilesApiException answered) {
        throw answered;
      } catch (IOException cutOff) {
        if (attempt == retries.attempts()) {
          throw unreachable(place, cutOff);
        }
        retries.pause(attempt, Optional.empty());
      }
    }
  }

  private FilesApiException notTheFilesApi(Location place) {
    return new FilesApiException(
        place, 200, "", workspace.host() + " does not answer as the Files API of Databricks does");
  }

  /**
   * Sends a request until it is answered for good.
   *
   * @throws FilesApiException if the answer is no success
   */
  Answer send(RequestBuilder request, Location place) throws IOException {
    for (int attempt = 1; ; attempt++) {
      Map<String, String> headers = workspace.headers();
      headers.forEach(request::setHeader);
      HttpUriRequest built = request.build();
      Optional<String> retryAfter = Optional.empty();
      try {
        CloseableHttpResponse response = client.execute(built);
        int status = response.getStatusLine().getStatusCode();
        if (status >= 200 && status < 300) {
          return new Answer(status, response);
        }
        FilesApiException refused = refused(place, response, Workspace.secrets(headers));
        if (attempt == retries.attempts() || !Retries.isPassing(status)) {
          throw refused;
        }
        retryAfter =
            Optional.ofNullable(response.getFirstHeader("Retry-After")).map(Header::getValue);
      } catch (FilesApiException refused) {
        throw refused;
      } catch (UnknownHostException nobody) {
        throw new IOException(
            place + ": there is no host " + workspace.host() + "; is it spelled right?", nobody);
      } catch (IOException broken) {
        if (attempt == retries.attempts()) {
          throw unreachable(place, broken);
        }
      }
      retries.pause(attempt, retryAfter);
    }
  }

  /** How often a read that breaks off is taken up again. */
  Retries retries() {
    return retries;
  }

  private IOException unreachable(Location place, IOException broken) {
    String why =
        broken instanceof SocketTimeoutException
            ? "no answer within " + TIMEOUT_MS / 1000 + " seconds"
            : String.valueOf(broken.getMessage());
    return new IOException(
        place
            + ": "
            + workspace.host()
            + " was asked "
            + retries.attempts()
            + " times and did not answer ("
            + why
            + ")",
        broken);
  }

  private FilesApiException refused(
      Location place, CloseableHttpResponse response, List<String> secrets) throws IOException {
    int status = response.getStatusLine().getStatusCode();
    String code = "";
    String message = "";
    try (response) {
      HttpEntity body = response.getEntity();
      String text = body == null ? "" : EntityUtils.toString(body, StandardCharsets.UTF_8);
      JsonNode json = JSON.readTree(text);
      if (json != null && json.isObject()) {
        code = json.path("error_code").asText("");
        message = json.path("message").asText("");
        for (JsonNode detail : json.path("details")) {
          code = detail.path("reason").asText(code);
        }
      }
    } catch (JsonProcessingException page) {
      // Something else than the Files API answered; the status says enough.
    }
    for (String secret : secrets) {
      message = message.replace(secret, "***");
      code = code.replace(secret, "***");
    }
    message = message.lines().findFirst().orElse("");
    if (message.length() > LONGEST_MESSAGE) {
      message = message.substring(0, LONGEST_MESSAGE) + "...";
    }
    return new FilesApiException(place, status, code, message);
  }

  /** Percent-encodes all but the characters that stand for themselves in every part of a URI. */
  static String encoded(String text, String kept) {
    StringBuilder encoded = new StringBuilder();
    for (byte each : text.getBytes(StandardCharsets.UTF_8)) {
      char c = (char) (each & 0xff);
      boolean plain = c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9';
      if (plain || "-._~".indexOf(c) >= 0 || kept.indexOf(c) >= 0) {
        encoded.append(c);
      } else {
        encoded.append('%');
        encoded.append(Character.toUpperCase(Character.forDigit(c >> 4, 16)));
        encoded.append(Character.toUpperCase(Character.forDigit(c & 0xf, 16)));
      }
    }
    return encoded.toString();
  }
}
