package org.streammigrator.compatibility;

import static java.util.Objects.requireNonNull;

import java.util.function.Predicate;

/**
 * When a rule holds.
 *
 * @param words the condition in a few words, as the page of rules shows it
 * @param holds the condition
 */
record Condition(String words, Predicate<Situation> holds) {

  Condition {
    requireNonNull(words, "words");
    requireNonNull(holds, "holds");
  }

  /** Both. */
  Condition and(Condition other) {
    return new Condition(
        words + ", " + other.words, now -> holds.test(now) && other.holds.test(now));
  }

  /** One whose words are these. */
  static Condition when(String words, Predicate<Situation> holds) {
    return new Condition(words, holds);
  }

  static final Condition ALWAYS = when("always", now -> true);

  static final Condition STATEFUL = when("with state", Situation::stateful);

  static final Condition STATELESS = when("without state", now -> !now.stateful());

  static final Condition NAMED =
      when("log v2 with named sources", now -> now.offsetLogVersion() == 2 && now.named());

  static final Condition POSITIONAL = when("sources by position", now -> !now.named());

  static final Condition COMMITTED =
      when("a batch is committed", now -> now.committedBatch().isPresent());
}
