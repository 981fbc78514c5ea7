package org.streammigrator.migration;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.streammigrator.storage.FaultStore;
import org.streammigrator.storage.LaggingStore;
import org.streammigrator.storage.Store;

/** Lets a command fail at every store call, and requires what has to hold then. */
final class FaultLab {

  /** What fails, and what is run then. */
  enum Course {
    APPLY("apply", "apply"),
    ROLLBACK("rollback", "rollback"),
    UNDO("apply", "rollback");

    private final String failing;
    private final String then;

    Course(String failing, String then) {
      this.failing = failing;
      this.then = then;
    }

    @Override
    public String toString() {
      return failing.equals(then) ? failing : failing + ", then " + then;
    }
  }

  /**
   * What was found.
   *
   * @param calls the store calls of a run in which nothing fails
   * @param points at how many of them the fault was tried
   * @param happened how often it made a difference
   * @param states the different states it left that no other fault had left before
   * @param exits how often the run ended with which exit code
   */
  record Row(
      String trial,
      Course course,
      FaultKind kind,
      int calls,
      int points,
      int happened,
      int states,
      Map<Integer, Integer> exits) {}

  private final Trial trial;
  private final String name;
  private final int sample;
  private final Random random;

  /**
   * Prepares a lab.
   *
   * @param sample how many points of each kind are tried, besides the last one
   */
  FaultLab(String name, Trial trial, int sample, long seed) {
    this.name = name;
    this.trial = trial;
    this.sample = sample;
    this.random = new Random(seed);
  }

  /** Tries kinds of faults in a course of commands. */
  List<Row> run(Course course, List<FaultKind> kinds) throws IOException {
    begin(course);
    FaultStore counting = FaultStore.counting(trial.world().store());
    assertThat(trial.run(counting, course.failing)).as(trial.printed()).isZero();
    begin(course);
    LaggingStore listing = new LaggingStore(Integer.MAX_VALUE, 1, trial.world().store());
    assertThat(trial.run(listing, course.failing)).as(trial.printed()).isZero();
    int calls = counting.calls();
    Map<FaultKind.At, List<Integer>> points =
        Map.of(
            FaultKind.At.CALLS, IntStream.rangeClosed(1, calls).boxed().toList(),
            FaultKind.At.WRITES, counting.writes(),
            FaultKind.At.LISTINGS, IntStream.rangeClosed(1, listing.listings()).boxed().toList());
    Set<Map<String, String>> states = new HashSet<>();
    List<Row> rows = new ArrayList<>();
    List<String> failures = new ArrayList<>();
    for (FaultKind kind : kinds) {
      List<Integer> chosen = chosen(points.get(kind.where()));
      int happened = 0;
      int before = states.size();
      Map<Integer, Integer> exits = new TreeMap<>();
      for (int call : chosen) {
        begin(course);
        Store faulty = kind.at(call, trial.world().store());
        int exit = trial.run(faulty, course.failing);
        boolean did = FaultKind.happened(faulty);
        happened += did ? 1 : 0;
        exits.merge(exit, 1, Integer::sum);
        String said = name + ", " + course + ": " + kind.label() + " at " + call;
        try {
          check(said, kind, did, exit);
          if (states.add(trial.state())) {
            assertThat(trial.run(trial.world().store(), course.then))
                .as("%s; the rerun: %s", said, trial.printed())
                .isZero();
            checkEnd(said, course);
          }
        } catch (AssertionError broken) {
          failures.add(broken.getMessage());
        }
      }
      rows.add(
          new Row(
              name, course, kind, calls, chosen.size(), happened, states.size() - before, exits));
    }
    assertThat(failures).as("%s, %s", name, course).isEmpty();
    return rows;
  }

  private void begin(Course course) throws IOException {
    (course == Course.ROLLBACK ? trial.applied() : trial.prepared()).restore();
  }

  private void check(String said, FaultKind kind, boolean happened, int exit) throws IOException {
    assertThat(trial.half()).as("half there after %s", said).isEmpty();
    if (!happened) {
      assertThat(exit).as("%s, which did not happen: %s", said, trial.printed()).isZero();
    } else if (kind.stays()) {
      assertThat(exit).as("%s: %s", said, trial.printed()).isIn(0, 5);
    } else if (!kind.kills()) {
      assertThat(exit).as("%s: %s", said, trial.printed()).isIn(0, 5);
    }
    if (kind == FaultKind.FULL && exit == 5) {
      assertThat(trial.printed().replaceAll("\\s+", " "))
          .as(said)
          .contains("no space left on the device of", "run it again");
    }
    assertThat(trial.printed()).as(said).doesNotContain("\tat ", "Exception:");
  }

  private void checkEnd(String said, Course course) throws IOException {
    Map<String, String> written = trial.written();
    if (course == Course.APPLY) {
      assertThat(written.equals(trial.reference()))
          .as("%s; the end: %s", said, difference(written, trial.reference()))
          .isTrue();
    } else {
      written.keySet().removeIf(path -> path.endsWith(".tar.zst"));
      assertThat(written.keySet()).as("%s; what is left", said).isEmpty();
    }
  }

  private static Set<String> difference(Map<String, String> is, Map<String, String> shouldBe) {
    Set<String> different = new TreeSet<>();
    is.forEach(
        (path, file) -> {
          if (!file.equals(shouldBe.get(path))) {
            different.add((shouldBe.containsKey(path) ? "other bytes in " : "too much: ") + path);
          }
        });
    shouldBe.keySet().stream()
        .filter(path -> !is.containsKey(path))
        .forEach(path -> different.add("missing: " + path));
    return different;
  }

  private List<Integer> chosen(List<Integer> all) {
    if (all.size() <= sample + 1) {
      return all;
    }
    List<Integer> shuffled = new ArrayList<>(all.subList(0, all.size() - 1));
    Collections.shuffle(shuffled, random);
    List<Integer> chosen = new ArrayList<>(shuffled.subList(0, sample));
    chosen.add(all.get(all.size() - 1));
    Collections.sort(chosen);
    return chosen;
  }
}
