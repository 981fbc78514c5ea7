package org.streammigrator.storage;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * Which of many trials of one kind a test makes: all of them with the Maven profile {@code faults};
 * otherwise some of them, spread over all: the same in every run, so that a build that passed
 * passes again, others with {@code -Dfaults.seed}. The message of what fails names the trial.
 */
public final class FaultSample {
  /** Whether every trial is made. */
  public static final boolean ALL = "all".equals(System.getProperty("faults"));

  private static final long SEED = Long.getLong("faults.seed", 1);

  private FaultSample() {}

  /** All numbers from the first to the last, or so many of them. */
  public static List<Integer> between(int first, int last, int most) {
    return of(IntStream.rangeClosed(first, last).boxed().toList(), most);
  }

  /** All trials, or so many of them, in their order: one of each part of the list. */
  public static <T> List<T> of(List<T> trials, int most) {
    if (ALL || trials.size() <= most) {
      return trials;
    }
    Random random = new Random(SEED);
    List<T> some = new ArrayList<>(most);
    for (int part = 0; part < most; part++) {
      int from = (int) ((long) trials.size() * part / most);
      int to = (int) ((long) trials.size() * (part + 1) / most);
      some.add(trials.get(from + random.nextInt(to - from)));
    }
    return some;
  }
}
