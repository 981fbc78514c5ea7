package org.streammigrator.finding;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;

/** Suggests the word that was probably meant. */
public final class DidYouMean {
  private DidYouMean() {}

  /** {@code ; did you mean 'x'?}, or nothing when no candidate is near. */
  public static String among(String word, Collection<String> candidates) {
    return candidates.stream()
        .filter(candidate -> distance(word, candidate) <= Math.max(1, candidate.length() / 3))
        .min(
            Comparator.<String>comparingInt(candidate -> distance(word, candidate))
                .thenComparing(Comparator.naturalOrder()))
        .map(candidate -> "; did you mean '" + candidate + "'?")
        .orElse("");
  }

  private static String simplified(String word) {
    return word.toLowerCase(Locale.ROOT).replace('_', '-').replace("-", "");
  }

  /** Edits that turn one word into the other; case and hyphens do not count. */
  private static int distance(String left, String right) {
    String a = simplified(left);
    String b = simplified(right);
    if (Math.abs(a.length() - b.length()) > 20) {
      return Integer.MAX_VALUE;
    }
    int[][] costs = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          costs[i][j] = i + j;
          continue;
        }
        int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        costs[i][j] =
            Math.min(costs[i - 1][j - 1] + change, Math.min(costs[i - 1][j], costs[i][j - 1]) + 1);
        boolean swapped =
            i > 1
                && j > 1
                && a.charAt(i - 1) == b.charAt(j - 2)
                && a.charAt(i - 2) == b.charAt(j - 1);
        if (swapped) {
          costs[i][j] = Math.min(costs[i][j], costs[i - 2][j - 2] + 1);
        }
      }
    }
    return costs[a.length()][b.length()];
  }
}
