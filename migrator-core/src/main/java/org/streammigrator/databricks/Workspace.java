package org.streammigrator.databricks;

import com.databricks.sdk.core.ApiClient;
import com.databricks.sdk.core.DatabricksConfig;
import com.databricks.sdk.core.DatabricksError;
import com.databricks.sdk.core.DatabricksException;
import com.databricks.sdk.core.retry.IdempotentRequestRetryStrategy;
import com.databricks.sdk.core.utils.Timer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.UnservedPlaceException;

/**
 * Host and credentials of a workspace, as Databricks' SDK finds them: settings first, then the
 * environment, then the profile in {@code ~/.databrickscfg}. Tokens of OAuth are got and renewed by
 * the SDK.
 */
final class Workspace {
  /** How long an answer may take. */
  static final int TIMEOUT_SECONDS = 60;

  private static final String PREFIX = "databricks.";
  private static final int LONGEST_MESSAGE = 300;

  private final DatabricksConfig config;

  private Workspace(DatabricksConfig config) {
    this.config = config;
  }

  /**
   * The workspace that settings name.
   *
   * @param place what is to be reached in it
   * @throws UnservedPlaceException if a setting or the profile is unknown, or no host is named
   * @throws IOException if there is no credential, or the server of its tokens gives none
   */
  static Workspace of(Location place, Map<String, String> settings) throws IOException {
    return of(settings, TIMEOUT_SECONDS, reason -> new UnservedPlaceException(place, reason));
  }

  /**
   * The workspace that settings name.
   *
   * @param name how messages name it
   * @param timeoutSeconds how long an answer may take
   * @throws IOException if a setting or the profile is unknown, no host is named, there is no
   *     credential, or the server of its tokens gives none
   */
  static Workspace of(String name, Map<String, String> settings, int timeoutSeconds)
      throws IOException {
    return of(settings, timeoutSeconds, reason -> new IOException(name + ": " + reason));
  }

  private static Workspace of(
      Map<String, String> settings, int timeoutSeconds, Function<String, IOException> refusal)
      throws IOException {
    DatabricksConfig config = new DatabricksConfig().setHttpTimeoutSeconds(timeoutSeconds);
    for (String name : new TreeSet<>(settings.keySet())) {
      if (!set(config, name, settings.get(name)) && !Retries.SETTINGS.contains(name)) {
        throw refusal.apply(
            "there is no setting "
                + name
                + " for a workspace; there are databricks.workspace, databricks.host,"
                + " databricks.profile, databricks.config_file, databricks.token,"
                + " databricks.client_id, databricks.client_secret, databricks.attempts and"
                + " databricks.retry_interval");
      }
    }
    try {
      config.resolve();
    } catch (DatabricksException failure) {
      throw refusal.apply(unusable(failure));
    }
    if (config.getHost() == null) {
      throw refusal.apply(
          "no Databricks workspace is named: set DATABRICKS_HOST or DATABRICKS_CONFIG_PROFILE, or"
              + " databricks.host or databricks.profile for the volume in `storage`, or a host or"
              + " profile in `workspaces`");
    }
    Workspace workspace = new Workspace(config);
    workspace.headers();
    return workspace;
  }

  private static boolean set(DatabricksConfig config, String name, String value) {
    switch (name) {
      case PREFIX + "host" -> config.setHost(value);
      case PREFIX + "profile" -> config.setProfile(value);
      case PREFIX + "config_file" -> config.setConfigFile(value);
      case PREFIX + "token" -> config.setToken(value);
      case PREFIX + "client_id" -> config.setClientId(value);
      case PREFIX + "client_secret" -> config.setClientSecret(value);
      default -> {
        return false;
      }
    }
    return true;
  }

  /** The URL of the workspace, without a trailing slash. */
  String host() {
    return config.getHost();
  }

  /** The headers that a request needs to be let in; they hold the secret. */
  Map<String, String> headers() throws IOException {
    try {
      Map<String, String> headers = config.authenticate();
      if (config.getWorkspaceId() != null) {
        headers.put("X-Databricks-Workspace-Id", config.getWorkspaceId());
      }
      return headers;
    } catch (DatabricksException failure) {
      throw new IOException(unusable(failure), failure);
    }
  }

  /** The secrets of the headers, which must be in no message. */
  static List<String> secrets(Map<String, String> headers) {
    List<String> secrets = new ArrayList<>();
    headers.forEach(
        (name, value) -> {
          if (!name.equals("X-Databricks-Workspace-Id")) {
            secrets.add(value.substring(value.indexOf(' ') + 1));
          }
        });
    return secrets;
  }

  /** A client of the SDK that waits in this way before it sends a request again. */
  ApiClient client(Waits waits) throws IOException {
    try {
      // Each of them may be sent twice: what starts something has a token.
      return new ApiClient.Builder()
          .withDatabricksConfig(config)
          .withTimer(new Between(waits))
          .withRetryStrategyPicker(request -> new IdempotentRequestRetryStrategy())
          .build();
    } catch (DatabricksException failure) {
      throw new IOException(unusable(failure), failure);
    }
  }

  /** The waiting of the SDK. */
  private record Between(Waits waits) implements Timer {
    @Override
    public void sleep(long millis) throws InterruptedException {
      try {
        waits.pause(Duration.ofMillis(millis));
      } catch (InterruptedIOException interrupted) {
        throw new InterruptedException(interrupted.getMessage());
      }
    }

    @Override
    public long getCurrentTime() {
      return waits.now().toEpochMilli();
    }
  }

  /** What a failure of the SDK says, in one line without the secrets of this workspace. */
  String text(Exception failure) {
    String message = String.valueOf(failure.getMessage());
    if (failure instanceof DatabricksError error && error.getErrorCode() != null) {
      message = error.getErrorCode() + " (" + error.getStatusCode() + "): " + message;
    }
    if (failure.getCause() instanceof Exception cause && message.contains("failed after")) {
      // The SDK says how often it asked, and its cause what came of it at last.
      message += ": " + text(cause);
    }
    try {
      for (String secret : secrets(headers())) {
        message = message.replace(secret, "***");
      }
    } catch (IOException noToken) {
      // Then none was sent.
    }
    message = message.lines().findFirst().orElse("");
    return message.length() > LONGEST_MESSAGE
        ? message.substring(0, LONGEST_MESSAGE) + "..."
        : message;
  }

  private static String unusable(DatabricksException failure) {
    String message = String.valueOf(failure.getMessage()).replace(": null", " failed");
    return "the Databricks workspace cannot be used: "
        + message.lines().findFirst().orElse(message);
  }
}
