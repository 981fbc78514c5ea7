package org.streammigrator.copy;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** The manifests that lie beside copies, never in them. */
public final class Manifests {

  private Manifests() {}

  /**
   * Where the manifest of a copy lies: {@code <parent>/.<name>.migrator-manifest.json}.
   *
   * @throws IllegalArgumentException if the copy is a root and has nothing beside it
   */
  public static Location locationFor(Location copy) {
    return beside(copy, "migrator-manifest.json");
  }

  /** A hidden neighbour of a place: {@code <parent>/.<name>.<suffix>}. */
  public static Location beside(Location place, String suffix) {
    Location parent =
        place
            .parent()
            .orElseThrow(
                () -> new IllegalArgumentException(place + " is a root: nothing lies beside it"));
    return parent.child("." + place.name() + "." + suffix);
  }

  /**
   * Reads the manifest of a copy.
   *
   * @throws java.nio.file.NoSuchFileException if there is none
   * @throws InvalidManifestException if it cannot be used
   */
  public static Manifest read(Store store, Location copy) throws IOException {
    try (InputStream in = new BufferedInputStream(store.open(locationFor(copy)))) {
      return Manifest.readFrom(in);
    }
  }

  /**
   * Writes the manifest of a copy in place of an older one. A crash in between leaves none or a
   * torn one, which the next run replaces.
   */
  public static void write(Store store, Location copy, Manifest manifest) throws IOException {
    ByteArrayOutputStream json = new ByteArrayOutputStream();
    manifest.writeTo(json);
    store.delete(locationFor(copy));
    RetriedWrite.write(store, locationFor(copy), json.toByteArray());
  }
}
