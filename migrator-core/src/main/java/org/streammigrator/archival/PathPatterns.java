package org.streammigrator.archival;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Patterns of paths: {@code *} and {@code ?} stay within a part of a path, {@code **} goes over
 * several. One without a slash is about the last part.
 */
final class PathPatterns {
  private final List<Pattern> names = new ArrayList<>();
  private final List<Pattern> paths = new ArrayList<>();

  PathPatterns(List<String> globs) {
    for (String glob : globs) {
      (glob.contains("/") ? paths : names).add(pattern(glob));
    }
  }

  boolean isEmpty() {
    return names.isEmpty() && paths.isEmpty();
  }

  /**
   * Whether one matches.
   *
   * @param path the path below the root, {@code .} for the root itself
   * @param name its last part
   */
  boolean match(String path, String name) {
    return names.stream().anyMatch(pattern -> pattern.matcher(name).matches())
        || paths.stream().anyMatch(pattern -> pattern.matcher(path).matches());
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (int at = 0; at < glob.length(); at++) {
      char c = glob.charAt(at);
      if (glob.startsWith("**/", at)) {
        regex.append("(?:.*/)?");
        at += 2;
      } else if (glob.startsWith("**", at)) {
        regex.append(".*");
        at++;
      } else if (c == '*') {
        regex.append("[^/]*");
      } else if (c == '?') {
        regex.append("[^/]");
      } else {
        regex.append(Pattern.quote(String.valueOf(c)));
      }
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
