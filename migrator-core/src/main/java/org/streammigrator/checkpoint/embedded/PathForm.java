package org.streammigrator.checkpoint.embedded;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;

/** How a path is spelled where it is embedded. */
public enum PathForm {
  /**
   * As {@code Path.toUri().toString()}, percent-encoded: in the logs of file sources and file sinks
   * ({@code SparkPath.urlEncoded}). Letters beyond ASCII stand as they are.
   */
  URI_ENCODED {
    @Override
    String decode(String path) {
      return path.indexOf('%') < 0 ? path : percentDecoded(path);
    }

    @Override
    String spell(Location place, boolean emptyAuthority) {
      try {
        String authority = place.authority();
        String path =
            place.path().equals("/") ? "" : new URI(null, null, place.path(), null).getRawPath();
        String root = place.scheme() + ":";
        if (!authority.isEmpty()) {
          root += "//" + authority;
        } else if (emptyAuthority) {
          root += "//";
        }
        return root + path;
      } catch (URISyntaxException impossible) {
        throw new IllegalArgumentException(place + " cannot be written as a URI", impossible);
      }
    }
  },

  /** As {@code Path.toString()}, nothing encoded: where Spark and Delta embed the checkpoint. */
  PLAIN {
    @Override
    String decode(String path) {
      return path;
    }

    @Override
    String spell(Location place, boolean emptyAuthority) {
      String text = place.toString();
      return place.path().equals("/") ? text.substring(0, text.length() - 1) : text;
    }
  };

  private static final Pattern URI =
      Pattern.compile("((?:[A-Za-z][A-Za-z0-9+.-]*:)?(?://[^/]*)?)(/.*)", Pattern.DOTALL);

  /** The place that an embedded path names; empty if it is no absolute path. */
  public Optional<Location> place(String path) {
    Matcher uri = URI.matcher(path);
    try {
      return uri.matches()
          ? Optional.of(Location.parse(uri.group(1) + decode(uri.group(2)), Path.of("/")))
          : Optional.empty();
    } catch (IllegalArgumentException noPlace) {
      return Optional.empty();
    }
  }

  /** The path's names as they are in the file system. */
  abstract String decode(String path);

  /**
   * A place as the prefix of an embedded path, without a slash at its end.
   *
   * @param emptyAuthority whether a place without an authority gets an empty one ({@code file:///a}
   *     and not {@code file:/a})
   */
  abstract String spell(Location place, boolean emptyAuthority);

  /** What is no escape of UTF-8 text stays as it is. */
  private static String percentDecoded(String path) {
    StringBuilder decoded = new StringBuilder(path.length());
    int i = 0;
    while (i < path.length()) {
      int end = i;
      while (isEscape(path, end)) {
        end += 3;
      }
      if (end == i) {
        decoded.append(path.charAt(i++));
        continue;
      }
      byte[] bytes = new byte[(end - i) / 3];
      for (int b = 0; b < bytes.length; b++) {
        bytes[b] = (byte) Integer.parseInt(path.substring(i + 3 * b + 1, i + 3 * b + 3), 16);
      }
      try {
        decoded.append(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)));
      } catch (CharacterCodingException notText) {
        decoded.append(path, i, end);
      }
      i = end;
    }
    return decoded.toString();
  }

  private static boolean isEscape(String text, int at) {
    return at + 2 < text.length()
        && text.charAt(at) == '%'
        && Character.digit(text.charAt(at + 1), 16) >= 0
        && Character.digit(text.charAt(at + 2), 16) >= 0;
  }
}
