package org.streammigrator.discovery;

import static java.util.Objects.requireNonNull;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Which of the checkpoints that were found are listed, and in what order. What is empty leaves
 * nothing out.
 *
 * @param kinds kinds of sources, of which it has to have one
 * @param healths the healths it may have
 * @param olderThanMs milliseconds that its {@code ageMs} has to reach
 * @param name a pattern with {@code *} and {@code ?}, of its name or, if the pattern has a slash,
 *     of its path below the root
 * @param order the order
 */
public record DiscoveryChoice(
    Set<String> kinds,
    Set<Health> healths,
    OptionalLong olderThanMs,
    Optional<String> name,
    DiscoveryOrder order) {

  /** Everything, by path. */
  public static final DiscoveryChoice ALL =
      new DiscoveryChoice(
          Set.of(), Set.of(), OptionalLong.empty(), Optional.empty(), DiscoveryOrder.PATH);

  public DiscoveryChoice {
    kinds = Set.copyOf(kinds);
    healths = Set.copyOf(healths);
    requireNonNull(olderThanMs, "olderThanMs");
    requireNonNull(name, "name");
    requireNonNull(order, "order");
  }

  /** The part of a result that is chosen, in its order. */
  public Discovery of(Discovery discovery) {
    Optional<Pattern> names = name.map(DiscoveryChoice::pattern);
    return discovery.withCheckpoints(
        discovery.checkpoints().stream()
            .filter(one -> kinds.isEmpty() || one.kinds().stream().anyMatch(kinds::contains))
            .filter(one -> healths.isEmpty() || healths.contains(one.health()))
            .filter(one -> olderThanMs.isEmpty() || one.ageMs() >= olderThanMs.getAsLong())
            .filter(one -> names.isEmpty() || names.get().matcher(matched(one)).matches())
            .sorted(order.comparator())
            .toList());
  }

  private String matched(DiscoveredCheckpoint checkpoint) {
    return name.orElse("").contains("/") ? checkpoint.relative() : checkpoint.name();
  }

  private static Pattern pattern(String glob) {
    StringBuilder regex = new StringBuilder();
    for (char c : glob.toCharArray()) {
      regex.append(c == '*' ? ".*" : c == '?' ? "." : Pattern.quote(String.valueOf(c)));
    }
    return Pattern.compile(regex.toString(), Pattern.DOTALL);
  }
}
