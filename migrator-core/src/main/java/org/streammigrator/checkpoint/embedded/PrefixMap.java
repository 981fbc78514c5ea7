package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.storage.Location;

/**
 * Places that moved, applied to paths as they are embedded in logs.
 *
 * <p>Guarantees: a rule matches at path boundaries only; the longest matching rule wins; places are
 * compared as {@link Location} does, so that {@code file:/a}, {@code file:///a} and {@code /a} are
 * one and {@code hdfs:///a} is another; what follows the matched prefix is kept as it is spelled. A
 * rule whose two places are one says that nothing moved there, and changes no byte.
 *
 * @param rules the rules; of several for one place the first counts
 */
public record PrefixMap(List<Rule> rules) {
  private static final Pattern URI =
      Pattern.compile("(?:([A-Za-z][A-Za-z0-9+.-]*):)?(?://([^/]*))?(/.*)?", Pattern.DOTALL);

  /** No rules. */
  public static final PrefixMap NONE = new PrefixMap(List.of());

  /**
   * A place that moved, with all that is below it.
   *
   * @param from where it was
   * @param to where it is now
   */
  public record Rule(Location from, Location to) {
    public Rule {
      requireNonNull(from, "from");
      requireNonNull(to, "to");
    }
  }

  public PrefixMap {
    rules = List.copyOf(rules);
  }

  /**
   * What the rules make of a path.
   *
   * @param prefix the spelling of the new place; empty where the path stays as it is
   * @param slashes how many slashes of the path's own spelling stand before the part that is kept
   */
  record Match(Optional<String> prefix, int slashes) {

    /** The new spelling of the path that was matched. */
    String apply(String path) {
      return prefix.map(text -> text + path.substring(slash(path, slashes))).orElse(path);
    }
  }

  /** These rules and then others. */
  public PrefixMap and(PrefixMap others) {
    List<Rule> all = new ArrayList<>(rules);
    all.addAll(others.rules);
    return new PrefixMap(all);
  }

  /** These rules with the places that moved swapped: where what is at a place came from. */
  public PrefixMap reversed() {
    return new PrefixMap(rules.stream().map(rule -> new Rule(rule.to(), rule.from())).toList());
  }

  /** The rules for a place and what is below it, as if all that had been at another place. */
  PrefixMap rebased(Location from, Location to) {
    PrefixMap move = new PrefixMap(List.of(new Rule(from, to)));
    List<Rule> rebased = new ArrayList<>();
    for (Rule rule : rules) {
      move.moved(rule.from()).ifPresent(place -> rebased.add(new Rule(place, rule.to())));
    }
    return new PrefixMap(rebased);
  }

  /** The new spelling of a path; empty if no rule covers it. */
  public Optional<String> apply(String path, PathForm form) {
    return new Lookup(this, form).find(path).map(match -> match.apply(path));
  }

  /** The place that a path names now; empty if no rule covers it. */
  public Optional<Location> moved(String path, PathForm form) {
    return form.place(path).flatMap(this::moved);
  }

  /** The place that a place has moved to; empty if no rule covers it. */
  public Optional<Location> moved(Location place) {
    Optional<Rule> best = Optional.empty();
    for (Rule rule : rules) {
      boolean covers = place.equals(rule.from()) || place.isInside(rule.from());
      if (covers && (best.isEmpty() || rule.from().isInside(best.get().from()))) {
        best = Optional.of(rule);
      }
    }
    return best.map(
        rule ->
            place.equals(rule.from()) ? rule.to() : rule.to().child(place.relativeTo(rule.from())));
  }

  /**
   * The position of the slash with the given number, from 0; the length if there are not so many.
   */
  private static int slash(String path, int number) {
    int at = path.indexOf('/');
    for (int i = 0; i < number && at >= 0; i++) {
      at = path.indexOf('/', at + 1);
    }
    return at < 0 ? path.length() : at;
  }

  /** The rules prepared for many paths of one form; not for use by several threads. */
  static final class Lookup {
    private static final int MOST_DIRECTORIES = 1000;

    private final PathForm form;
    private final Map<Location, Location> rules = new HashMap<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, Optional<Match>> directories = new HashMap<>();

    Lookup(PrefixMap map, PathForm form) {
      this.form = form;
      for (Rule rule : map.rules()) {
        rules.putIfAbsent(rule.from(), rule.to());
        names.add(rule.from().name());
      }
    }

    /** The longest rule that covers a path; empty if none does. */
    Optional<Match> find(String path) {
      int slash = path.lastIndexOf('/');
      if (slash < 0 || hasDots(path)) {
        return Optional.empty();
      }
      if (slash + 1 == path.length() || names.contains(form.decode(path.substring(slash + 1)))) {
        return search(path);
      }
      if (directories.size() > MOST_DIRECTORIES) {
        directories.clear();
      }
      return directories.computeIfAbsent(path.substring(0, slash), this::search);
    }

    private Optional<Match> search(String text) {
      Matcher uri = URI.matcher(text);
      if (!uri.matches()) {
        return Optional.empty();
      }
      String path = uri.group(3) == null ? "" : uri.group(3);
      String root = text.substring(0, text.length() - path.length());
      int slashes = (int) text.chars().filter(c -> c == '/').count();
      int end = path.length();
      if (path.endsWith("/")) {
        end--;
        slashes--;
      }
      while (end >= 0) {
        String prefix = path.substring(0, end);
        Optional<Location> place =
            prefix.endsWith("/")
                ? Optional.empty()
                : form.place(root + (prefix.isEmpty() ? "/" : prefix));
        Location to = place.map(rules::get).orElse(null);
        if (to != null) {
          return Optional.of(
              new Match(
                  to.equals(place.get()) ? Optional.empty() : Optional.of(spell(uri, to)),
                  slashes));
        }
        slashes--;
        end = path.lastIndexOf('/', end - 1);
      }
      return Optional.empty();
    }

    private String spell(Matcher old, Location to) {
      String scheme = old.group(1);
      boolean sameScheme = scheme != null && scheme.equalsIgnoreCase(to.scheme());
      boolean emptyAuthority = sameScheme ? old.group(2) != null : to.isLocal();
      return form.spell(to, emptyAuthority);
    }

    /** Hadoop resolves such names before it writes a path. */
    private static boolean hasDots(String path) {
      return path.contains("/./")
          || path.contains("/../")
          || path.endsWith("/.")
          || path.endsWith("/..");
    }
  }
}
