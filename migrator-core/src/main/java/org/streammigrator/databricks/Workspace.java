package org.streammigrator.databricks;

import com.databricks.sdk.core.DatabricksConfig;
import com.databricks.sdk.core.DatabricksException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.UnservedPlaceException;

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
   * @param place what is to be reached in it
   * @throws UnservedPlaceException if a setting or the profile is unknown, or no host is named
   * @throws IOException if there is no credential, or the server of its tokens gives none
   */
  static Workspace of(Location place, Map<String, String> settings) throws IOException {
    DatabricksConfig config = new DatabricksConfig().setHttpTimeoutSeconds(60);
    for (String name : new TreeSet<>(settings.keySet())) {
      if (!set(config, name, settings.get(name)) && !Retries.SETTINGS.contains(name)) {
        throw new UnservedPlaceException(
            place,
            "there is no setting "
                + name
                + " for volumes; there are databricks.workspace, databricks.host,"
                + " databricks.profile, databricks.config_file, databricks.token,"
                + " databricks.client_id, databricks.client_secret, databricks.attempts and"
                + " databricks.retry_interval");
      }
    }
    try {
      config.resolve();
    } catch (DatabricksException failure) {
      throw new UnservedPlaceException(place, text(failure));
    }
    if (config.getHost() == null) {
      throw new UnservedPlaceException(
          place,
          "no Databricks workspace is named: set DATABRICKS_HOST or DATABRICKS_CONFIG_PROFILE, or"
              + " databricks.host or databricks.profile for the volume in `storage`");
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
      throw new IOException(text(failure), failure);
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

  private static String text(DatabricksException failure) {
    String message = String.valueOf(failure.getMessage()).replace(": null", " failed");
    return "the Databricks workspace cannot be used: "
        + message.lines().findFirst().orElse(message);
  }
}
