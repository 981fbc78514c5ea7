package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A place in a file system or an object store, whatever way it was spelled.
 *
 * <p>Guarantees:
 *
 * <ul>
 *   <li>Two locations are equal exactly if they name one place as far as the text alone can tell:
 *       {@code /a}, {@code /a/}, {@code /a//.}, {@code file:/a}, {@code file:///a} and {@code
 *       file://localhost/a}; {@code /Volumes/x} and {@code dbfs:/Volumes/x}; {@code /dbfs/mnt/a}
 *       and {@code dbfs:/mnt/a}; {@code s3:}, {@code s3n:} and {@code s3a:} of one bucket; {@code
 *       abfs:} and {@code abfss:} of one container; {@code hdfs://nn/a} and {@code
 *       hdfs://NN:8020/a}. A scheme without an authority ({@code hdfs:///a}) is a place of its own:
 *       which cluster it means is a matter of configuration.
 *   <li>Nothing is percent-decoded and nothing is a query or a fragment, as in Hadoop's {@code
 *       Path}: {@code %20}, {@code ?}, {@code #} and blanks are characters of a name.
 *   <li>{@code .} and {@code ..} are resolved in the text ({@code ..} stops at the root); symbolic
 *       links are not followed. Nothing is read from any file system.
 *   <li>Immutable; {@code parse(location.toString(), anyBase)} equals {@code location}.
 * </ul>
 */
public final class Location {
  private static final Pattern SCHEME =
      Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):(.*)", Pattern.DOTALL);

  private final String scheme;
  private final String authority;
  private final String path;
  private final String root;

  private Location(String scheme, String authority, String path) {
    this.scheme = scheme;
    this.authority = authority;
    this.path = path;
    this.root = comparableScheme(scheme) + "://" + comparableAuthority(scheme, authority);
  }

  private Location(Location other, String path) {
    this.scheme = other.scheme;
    this.authority = other.authority;
    this.path = path;
    this.root = other.root;
  }

  /**
   * Reads a location.
   *
   * @param text a URI in Hadoop's spelling, or a local path; a local path without a leading slash
   *     is relative to {@code base}
   * @param base the directory that relative local paths stand in; made absolute when it is not
   * @throws IllegalArgumentException when the text is empty, holds a NUL character, has a scheme
   *     without an absolute path or an authority, or is a {@code file:} URI of another host. The
   *     message does not repeat the text, which may hold a secret.
   */
  public static Location parse(String text, Path base) {
    requireNonNull(text, "text");
    requireNonNull(base, "base");
    if (text.isBlank()) {
      throw new IllegalArgumentException("a location must not be empty");
    }
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("a location must not hold a NUL character");
    }
    Matcher matcher = SCHEME.matcher(text);
    if (matcher.matches()) {
      return parseUri(matcher.group(1).toLowerCase(Locale.ROOT), matcher.group(2));
    }
    return local(text.startsWith("/") ? text : base.toAbsolutePath() + "/" + text);
  }

  /** The location of a local path; a relative one stands in the process's working directory. */
  public static Location of(Path path) {
    return local(path.toAbsolutePath().toString());
  }

  private static Location parseUri(String scheme, String rest) {
    String authority = "";
    String path = rest;
    if (rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      path = slash < 0 ? "" : rest.substring(slash);
    }
    if (path.isEmpty() && authority.isEmpty()) {
      throw new IllegalArgumentException(
          "a location needs a path after the scheme '" + scheme + ":', as in " + scheme + ":/a/b");
    }
    if (!path.isEmpty() && !path.startsWith("/")) {
      throw new IllegalArgumentException(
          "the path after the scheme '" + scheme + ":' must be absolute: begin it with a slash");
    }
    if (scheme.equals("file")) {
      if (!authority.isEmpty() && !authority.equalsIgnoreCase("localhost")) {
        throw new IllegalArgumentException(
            "a file: location cannot name a host: write file:/path or file:///path");
      }
      return local(path);
    }
    return new Location(scheme, authority, normalise(path));
  }

  /** Databricks mounts its volumes and its DBFS into the local file system, too. */
  private static Location local(String text) {
    String path = normalise(text);
    if (path.equals("/dbfs")) {
      return new Location("dbfs", "", "/");
    }
    if (path.startsWith("/dbfs/")) {
      return new Location("dbfs", "", path.substring("/dbfs".length()));
    }
    return new Location(isVolume(path) ? "dbfs" : "file", "", path);
  }

  private static String normalise(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split("/")) {
      if (part.equals("..")) {
        if (!parts.isEmpty()) {
          parts.remove(parts.size() - 1);
        }
      } else if (!part.isEmpty() && !part.equals(".")) {
        parts.add(part);
      }
    }
    return "/" + String.join("/", parts);
  }

  private static String comparableScheme(String scheme) {
    return switch (scheme) {
      case "s3", "s3n" -> "s3a";
      case "abfs" -> "abfss";
      case "wasb" -> "wasbs";
      default -> scheme;
    };
  }

  private static String comparableAuthority(String scheme, String authority) {
    String lower = authority.toLowerCase(Locale.ROOT);
    if (scheme.equals("hdfs") && lower.endsWith(":8020")) {
      return lower.substring(0, lower.length() - ":8020".length());
    }
    return lower;
  }

  /** The scheme in lower case, as it was spelled otherwise; {@code file} for a local path. */
  public String scheme() {
    return scheme;
  }

  /** Host, bucket or container as it was spelled; empty when there is none. */
  public String authority() {
    return authority;
  }

  /** The absolute path below the authority, without a trailing slash; {@code /} for the root. */
  public String path() {
    return path;
  }

  /** Whether this is a path of the local file system ({@code dbfs:} and volumes are not). */
  public boolean isLocal() {
    return scheme.equals("file");
  }

  /**
   * The local path; of a place of Databricks the one that it has where it is mounted.
   *
   * @throws IllegalStateException when the location is neither local nor of Databricks
   * @throws java.nio.file.InvalidPathException when the JVM's file name encoding cannot express it
   */
  public Path localPath() {
    if (scheme.equals("dbfs")) {
      return Path.of(isVolume(path) ? path : "/dbfs" + path);
    }
    if (!isLocal()) {
      throw new IllegalStateException(this + " is not a local path");
    }
    return Path.of(path);
  }

  private static boolean isVolume(String path) {
    return path.equals("/Volumes") || path.startsWith("/Volumes/");
  }

  /**
   * The place below this one.
   *
   * @param relative one or more names, separated by slashes
   * @throws IllegalArgumentException when it is empty, holds a NUL character, or leads upwards
   */
  public Location child(String relative) {
    if (isNormal(relative)) {
      return below(relative);
    }
    String below = normalise(relative);
    if (below.equals("/")
        || relative.indexOf('\0') >= 0
        || List.of(relative.split("/")).contains("..")) {
      throw new IllegalArgumentException("not a name below " + this + ": '" + relative + "'");
    }
    return new Location(this, path.equals("/") ? below : path + below);
  }

  /** Whether a relative path is as {@link #normalise} would leave it, as listed ones are. */
  private static boolean isNormal(String relative) {
    int start = 0;
    for (int at = 0; at <= relative.length(); at++) {
      char next = at == relative.length() ? '/' : relative.charAt(at);
      if (next == '/') {
        int length = at - start;
        boolean dots = length == 1 || length == 2 && relative.charAt(at - 1) == '.';
        if (length == 0 || dots && relative.charAt(start) == '.') {
          return false;
        }
        start = at + 1;
      } else if (next == '\0') {
        return false;
      }
    }
    return true;
  }

  /** The place of what a file system listed in this directory, or below it. */
  Location below(String name) {
    return new Location(this, path.equals("/") ? "/" + name : path + "/" + name);
  }

  /** The last part of the path; empty for the root. */
  public String name() {
    return path.substring(path.lastIndexOf('/') + 1);
  }

  /** The place one level up; empty for the root. */
  public Optional<Location> parent() {
    if (path.equals("/")) {
      return Optional.empty();
    }
    int slash = path.lastIndexOf('/');
    return Optional.of(
        new Location(scheme, authority, slash == 0 ? "/" : path.substring(0, slash)));
  }

  /** Whether this place is strictly below the other one. */
  public boolean isInside(Location other) {
    int length = other.path.equals("/") ? 0 : other.path.length();
    return path.length() > length + 1
        && path.charAt(length) == '/'
        && path.startsWith(other.path)
        && root.equals(other.root);
  }

  /**
   * The path of this place as seen from an outer one, without a leading slash.
   *
   * @throws IllegalArgumentException when this place is not inside the other one
   */
  public String relativeTo(Location outer) {
    if (!isInside(outer)) {
      throw new IllegalArgumentException(this + " is not inside " + outer);
    }
    return path.substring(outer.path.equals("/") ? 1 : outer.path.length() + 1);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Location that && root.equals(that.root) && path.equals(that.path);
  }

  @Override
  public int hashCode() {
    return 31 * root.hashCode() + path.hashCode();
  }

  /** The form shown and written: {@code file:/a/b}, {@code s3a://bucket/a}, {@code dbfs:/mnt/a}. */
  @Override
  public String toString() {
    return authority.isEmpty() ? scheme + ":" + path : scheme + "://" + authority + path;
  }
}
