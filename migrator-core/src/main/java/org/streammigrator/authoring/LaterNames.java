package org.streammigrator.authoring;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which files of a checkpoint came after a batch, as far as their names tell.
 *
 * <ul>
 *   <li>Plans and commits have the number of their batch.
 *   <li>State files have a version: a batch loads the version of its number and writes the next one
 *       ({@code StatefulOperatorStateInfo.storeVersion}). In format 1 a snapshot of a later version
 *       that is left in place is loaded once a new lineage gets there, without any error.
 *   <li>Metadata of operators, version 2 ({@code OperatorStateMetadataV2}), and schema files of
 *       state, version 3 ({@code StateSchemaCompatibilityChecker.schemaFile}: {@code
 *       <batch>_<uuid>}), have the batch with which a run began to use them.
 * </ul>
 *
 * What sources keep for themselves does not tell by its name: its numbers are the source's own.
 */
public final class LaterNames {
  private static final Pattern LOG =
      Pattern.compile("(?:offsets|commits)/\\.?([0-9]{1,18})(?:\\.crc)*");

  /** Names of state files, see {@link org.streammigrator.checkpoint.StateStoreFiles}. */
  private static final Pattern STATE =
      Pattern.compile(
          "state/[0-9]+/[0-9]+/(?:[^/]+/)?\\.?([0-9]{1,18})(?:_[0-9a-fA-F-]{8,})?"
              + "\\.(?:delta|snapshot|zip|changelog)(?:\\.crc)*");

  private static final Pattern OPERATOR =
      Pattern.compile("state/[0-9]+/_metadata/v2/\\.?([0-9]{1,18})(?:\\.crc)*");

  private static final Pattern SCHEMA =
      Pattern.compile("state/[0-9]+/_stateSchema/[^/]+/\\.?([0-9]{1,18})_[^/]+");

  private LaterNames() {}

  /**
   * Whether a file was not there yet when a batch had been committed.
   *
   * @param path its path inside the checkpoint
   */
  public static boolean isLater(String path, long batch) {
    if (path.startsWith("offsets/") || path.startsWith("commits/")) {
      return number(LOG, path).filter(found -> found > batch).isPresent();
    }
    if (!path.startsWith("state/")) {
      return false;
    }
    if (path.contains("/_")) {
      return number(OPERATOR, path)
          .or(() -> number(SCHEMA, path))
          .filter(found -> found > batch)
          .isPresent();
    }
    return number(STATE, path).filter(version -> version > batch + 1).isPresent();
  }

  private static Optional<Long> number(Pattern pattern, String path) {
    Matcher matcher = pattern.matcher(path);
    return matcher.matches() ? Optional.of(Long.parseLong(matcher.group(1))) : Optional.empty();
  }
}
