package org.streammigrator.databricks;

import com.databricks.sdk.core.DatabricksConfig;
import com.databricks.sdk.core.DatabricksException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Host and credentials of a workspace, as Databricks' SDK finds them: settings first, then the
 * environment, then the profile in {@code ~/.databrickscfg}. Tokens of OAuth are got and renewed by
 * the SDK.
 */
final class Workspace {
  private static final String PREFIX = "databricks.";

  private final DatabricksConfig config;

  private Workspace(DatabricksConfig config) {
    this.config = config;
  }

  /**
   * The workspace that settings name.
   *
   * @throws IOException if a setting is unknown, or there is no host or no credential
   */
  static Workspace of(Map<String, String> settings) throws IOException {
    DatabricksConfig config = new DatabricksConfig().setHttpTimeoutSeconds(60);
    for (String name : new TreeSet<>(settings.keySet())) {
      set(config, name, settings.get(name));
    }
    try {
      config.resolve();
      if (config.getHost() == null) {
        throw new IOException(
            "no Databricks workspace is named: set DATABRICKS_HOST or DATABRICKS_CONFIG_PROFILE, or"
                + " databricks.host or databricks.profile for the volume in `storage`");
      }
      config.authenticate();
    } catch (DatabricksException failure) {
      throw unusable(failure);
    }
    return new Workspace(config);
  }

  private static void set(DatabricksConfig config, String name, String value) throws IOException {
    switch (name) {
      case PREFIX + "host" -> config.setHost(value);
      case PREFIX + "profile" -> config.setProfile(value);
      case PREFIX + "config_file" -> config.setConfigFile(value);
      case PREFIX + "token" -> config.setToken(value);
      case PREFIX + "client_id" -> config.setClientId(value);
      case PREFIX + "client_secret" -> config.setClientSecret(value);
      default -> {
        if (!Retries.SETTINGS.contains(name)) {
          throw new IOException(
              "there is no setting "
                  + name
                  + " for volumes; there are databricks.host, databricks.profile,"
                  + " databricks.config_file, databricks.token, databricks.client_id,"
                  + " databricks.client_secret, databricks.attempts and"
                  + " databricks.retry_interval");
        }
      }
    }
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
      throw unusable(failure);
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

  private static IOException unusable(DatabricksException failure) {
    String message = String.valueOf(failure.getMessage()).replace(": null", " failed");
    return new IOException(
        "the Databricks workspace cannot be used: " + message.lines().findFirst().orElse(message),
        failure);
  }
}
