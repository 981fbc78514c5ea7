package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.MountedStore;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreMaker;
import org.streammigrator.storage.UnservedPlaceException;

/**
 * The stores of the scheme {@code dbfs:}: volumes of Unity Catalog by the Files API, and whatever
 * is mounted into the local file system.
 *
 * <p>A place is reached through its mount exactly if the mount is there, no setting holds for the
 * place, and the environment names no workspace ({@code DATABRICKS_HOST}, {@code
 * DATABRICKS_CONFIG_PROFILE}). No class of Databricks' SDK is loaded before a volume is used.
 */
public final class Volumes implements StoreMaker {
  private final Function<String, Optional<String>> environment;
  private final Predicate<Path> directories;

  /**
   * The stores of volumes.
   *
   * @param environment the environment's variables
   */
  public Volumes(Function<String, Optional<String>> environment) {
    this(environment, new LocalDirectories());
  }

  Volumes(Function<String, Optional<String>> environment, Predicate<Path> directories) {
    this.environment = requireNonNull(environment, "environment");
    this.directories = requireNonNull(directories, "directories");
  }

  /** A class and no method reference, which costs a start more. */
  private static final class LocalDirectories implements Predicate<Path> {
    @Override
    public boolean test(Path path) {
      return Files.isDirectory(path);
    }
  }

  @Override
  public Store make(Location location, Map<String, String> settings) throws IOException {
    boolean workspace =
        !settings.isEmpty()
            || environment.apply("DATABRICKS_HOST").isPresent()
            || environment.apply("DATABRICKS_CONFIG_PROFILE").isPresent();
    if (!workspace && directories.test(MountedStore.mountOf(location))) {
      return new MountedStore();
    }
    if (!isInVolume(location)) {
      throw new UnservedPlaceException(
          location,
          "of Databricks' file system only volumes are reached from outside"
              + " (dbfs:/Volumes/CATALOG/SCHEMA/VOLUME/...); name the cloud storage that the place"
              + " stands for (abfss://, s3a://), or copy it to such a place first");
    }
    return VolumeStore.of(location, settings);
  }

  /** Whether a place is a volume or below one. */
  static boolean isInVolume(Location location) {
    String[] names = location.path().split("/");
    return names.length >= 5 && names[1].equals("Volumes");
  }
}
