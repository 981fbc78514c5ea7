package org.streammigrator.copy;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.streammigrator.copy.Damage.Kind;

/** What was found against what a manifest lists. */
final class Comparison {

  private Comparison() {}

  /**
   * All differences, sorted by path.
   *
   * @param found the files found, by path
   * @param foundDirectories the empty directories found
   * @param withTimes whether another modification time is a difference
   */
  static List<Damage> differences(
      Manifest manifest,
      Map<String, ManifestFile> found,
      Collection<String> foundDirectories,
      boolean withTimes) {
    List<Damage> damage = new ArrayList<>();
    Set<String> listed = new HashSet<>(manifest.emptyDirectories());
    for (ManifestFile expected : manifest.files()) {
      listed.add(expected.path());
      ManifestFile actual = found.get(expected.path());
      if (actual == null) {
        damage.add(
            new Damage(
                Kind.MISSING, expected.path(), "the manifest lists this file, and it is missing"));
      } else {
        compare(expected, actual, withTimes, damage);
      }
    }
    for (String path : found.keySet()) {
      if (!listed.contains(path)) {
        damage.add(new Damage(Kind.ADDED, path, "the manifest does not list this file"));
      }
    }
    Set<String> directories = new HashSet<>(foundDirectories);
    for (String directory : manifest.emptyDirectories()) {
      if (!directories.contains(directory)) {
        damage.add(
            new Damage(
                Kind.MISSING, directory, "the manifest lists this empty directory; it is missing"));
      }
    }
    for (String directory : directories) {
      if (!listed.contains(directory)) {
        damage.add(
            new Damage(Kind.ADDED, directory, "the manifest does not list this empty directory"));
      }
    }
    damage.sort(Comparator.comparing(Damage::path).thenComparing(Damage::kind));
    return damage;
  }

  private static void compare(
      ManifestFile expected, ManifestFile actual, boolean withTimes, List<Damage> damage) {
    String message = null;
    if (expected.size() != actual.size()) {
      message = "has " + actual.size() + " bytes; the manifest says " + expected.size();
    } else if (!expected.sha256().equals(actual.sha256())) {
      message = "has other bytes than the manifest says: SHA-256 " + actual.sha256();
    } else if (withTimes && !expected.modified().equals(actual.modified())) {
      message =
          "was last modified " + actual.modified() + "; the manifest says " + expected.modified();
    }
    if (message != null) {
      damage.add(new Damage(Kind.CHANGED, expected.path(), message));
    }
  }
}
