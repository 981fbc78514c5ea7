package org.streammigrator.copy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.streammigrator.copy.Damage.Kind;

/**
 * What reading an archive found: its files, its manifests, and everything that is wrong with it.
 */
final class ArchiveFindings {
  private static final int MAX_ENTRIES = 5_000_000;

  /** A place inside an archive that is fit to be written below a target. */
  record Place(String checkpoint, String path) {}

  /** A checkpoint in the archive. */
  private static final class Part {
    private final Map<String, ManifestFile> files = new HashMap<>();
    private final Set<String> directories = new HashSet<>();
    private Manifest manifest;
    private boolean manifestSeen;
  }

  private final String archiveName;
  private final Map<String, Part> parts = new LinkedHashMap<>();
  private final Set<String> names = new HashSet<>();
  private final Set<String> directoryNames = new HashSet<>();
  private final Set<String> parents = new HashSet<>();
  private final List<Damage> damage = new ArrayList<>();
  private String lastDirectory = "";
  private long pathBytes;
  private long files;
  private long bytes;

  /**
   * @param archiveName the damage of the whole is told under it
   */
  ArchiveFindings(String archiveName) {
    this.archiveName = archiveName;
  }

  /**
   * The place of an entry that is about to be read; empty if it has none, which is damage then.
   *
   * @throws BrokenArchiveException if there are too many
   */
  Optional<Place> place(String name, boolean directory) throws BrokenArchiveException {
    Optional<Place> place = split(name);
    if (place.isEmpty()) {
      return Optional.empty();
    }
    String whole = withoutSlash(name);
    String shown = shown(place.get().checkpoint(), place.get().path());
    if (names.contains(whole) || directoryNames.contains(whole)) {
      add(Kind.ADDED, shown, "the archive holds this name twice");
      return Optional.empty();
    }
    if ((!directory && parents.contains(whole)) || isBelowFile(whole)) {
      add(Kind.ADDED, shown, "the archive holds this name both as a file and as a directory");
      return Optional.empty();
    }
    if (entries() >= MAX_ENTRIES) {
      throw new BrokenArchiveException(
          Kind.UNREADABLE, "the archive holds more than " + MAX_ENTRIES + " entries");
    }
    pathBytes += whole.length();
    rememberParents(whole);
    if (directory) {
      directoryNames.add(whole);
      part(place.get().checkpoint()).directories.add(place.get().path());
    } else {
      names.add(whole);
    }
    return place;
  }

  private Optional<Place> split(String name) {
    String checkpoint = "";
    String path = withoutSlash(name);
    boolean inside = true;
    if (name.startsWith(ArchiveFormat.FILES)) {
      path =
          path.length() < ArchiveFormat.FILES.length()
              ? ""
              : path.substring(ArchiveFormat.FILES.length());
    } else if (name.startsWith(ArchiveFormat.SEVERAL_FILES)) {
      int start = ArchiveFormat.SEVERAL_FILES.length();
      int slash = path.indexOf('/', start);
      inside = slash > start;
      checkpoint = inside ? path.substring(start, slash) : "";
      path = inside ? path.substring(slash + 1) : path;
      if (inside && RelativePaths.problem(checkpoint).isPresent()) {
        add(Kind.ADDED, name, RelativePaths.problem(checkpoint).get());
        return Optional.empty();
      }
    } else {
      inside = false;
    }
    Optional<String> wrong = RelativePaths.problem(path);
    if (wrong.isPresent()) {
      add(Kind.ADDED, name, wrong.get());
      return Optional.empty();
    }
    if (!inside) {
      add(
          Kind.ADDED,
          name,
          "this entry stands outside of '"
              + ArchiveFormat.FILES
              + "', where an archive has its files");
      return Optional.empty();
    }
    return Optional.of(new Place(checkpoint, path));
  }

  /** Whose manifest an entry of the tar is. */
  static Optional<String> manifestOf(String name) {
    if (name.equals(ArchiveFormat.MANIFEST)) {
      return Optional.of("");
    }
    String start = ArchiveFormat.SEVERAL_MANIFESTS;
    boolean several = name.startsWith(start) && name.endsWith(ArchiveFormat.JSON);
    int end = name.length() - ArchiveFormat.JSON.length();
    return several && end > start.length() && name.indexOf('/', start.length()) < 0
        ? Optional.of(name.substring(start.length(), end))
        : Optional.empty();
  }

  /** Takes a file that was read. */
  void file(String checkpoint, ManifestFile file) {
    part(checkpoint).files.put(file.path(), file);
    files++;
    bytes += file.size();
  }

  /** Notes that a checkpoint has a manifest; false if it has had one already. */
  boolean beginManifest(String checkpoint) {
    Part part = part(checkpoint);
    boolean first = !part.manifestSeen;
    part.manifestSeen = true;
    return first;
  }

  void manifest(String checkpoint, Manifest manifest) {
    part(checkpoint).manifest = manifest;
  }

  /** The manifests that could be read. */
  Map<String, Manifest> manifests() {
    Map<String, Manifest> manifests = new LinkedHashMap<>();
    parts.forEach(
        (name, part) -> {
          if (part.manifest != null) {
            manifests.put(name, part.manifest);
          }
        });
    return manifests;
  }

  /** Compares what was read with the manifests. */
  void compare(boolean tarEnded) {
    if (tarEnded && parts.isEmpty()) {
      add(Kind.MISSING, ArchiveFormat.MANIFEST, "the archive has no manifest");
    }
    parts.forEach(
        (name, part) -> {
          if (part.manifest != null) {
            for (Damage each :
                Comparison.differences(part.manifest, part.files, part.directories, true)) {
              add(each.kind(), shown(name, each.path()), each.message());
            }
          } else if (!part.manifestSeen && tarEnded) {
            add(Kind.MISSING, ArchiveSource.manifestName(name), "the archive has no manifest");
          }
        });
  }

  /** Adds damage. */
  void add(Kind kind, String path, String message) {
    damage.add(new Damage(kind, path, message));
  }

  /** Adds damage that ends the reading. */
  void add(BrokenArchiveException broken, String current) {
    String place =
        current == null
            ? ""
            : " in or after '" + current + "'; " + files + " files before it were read";
    String subject = current == null ? archiveName : withoutPrefix(current);
    add(broken.kind(), subject, broken.getMessage() + place);
  }

  boolean isIntact() {
    return damage.isEmpty();
  }

  /** The number of files and empty directories. */
  long entries() {
    return names.size() + (long) directoryNames.size();
  }

  /** The number of characters in all paths. */
  long pathBytes() {
    return pathBytes;
  }

  Verification verification() {
    return new Verification(files, bytes, damage);
  }

  /** A path with the name of its checkpoint, where there are several. */
  static String shown(String checkpoint, String path) {
    return checkpoint.isEmpty() ? path : checkpoint + "/" + path;
  }

  private Part part(String checkpoint) {
    return parts.computeIfAbsent(checkpoint, name -> new Part());
  }

  private void rememberParents(String name) {
    int end = name.lastIndexOf('/');
    if (end < 0 || (end == lastDirectory.length() && name.startsWith(lastDirectory))) {
      return; // as most entries: its directory is that of the one before
    }
    lastDirectory = name.substring(0, end);
    for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      parents.add(name.substring(0, slash));
    }
  }

  private boolean isBelowFile(String name) {
    int end = name.lastIndexOf('/');
    if (end == lastDirectory.length() && name.startsWith(lastDirectory)) {
      return false; // a file of that name is refused while something is below it
    }
    for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      if (names.contains(name.substring(0, slash))) {
        return true;
      }
    }
    return false;
  }

  private static String withoutPrefix(String name) {
    for (String prefix : new String[] {ArchiveFormat.FILES, ArchiveFormat.SEVERAL_FILES}) {
      if (name.startsWith(prefix)) {
        return withoutSlash(name.substring(prefix.length()));
      }
    }
    return withoutSlash(name);
  }

  private static String withoutSlash(String name) {
    return name.endsWith("/") ? name.substring(0, name.length() - 1) : name;
  }
}
