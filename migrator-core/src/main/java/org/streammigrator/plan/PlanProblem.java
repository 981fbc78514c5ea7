package org.streammigrator.plan;

import java.util.Comparator;

/**
 * Something wrong in a plan file.
 *
 * @param line the line, from 1
 * @param column the column, from 1, in code points
 * @param path the key, such as {@code streams[0].checkpoint.from}; empty for the whole file
 * @param message what is wrong and how to mend it; never holds a value from the environment
 */
public record PlanProblem(int line, int column, String path, String message)
    implements Comparable<PlanProblem> {
  private static final Comparator<PlanProblem> ORDER =
      Comparator.comparingInt(PlanProblem::line)
          .thenComparingInt(PlanProblem::column)
          .thenComparing(PlanProblem::path)
          .thenComparing(PlanProblem::message);

  /** By position. */
  @Override
  public int compareTo(PlanProblem other) {
    return ORDER.compare(this, other);
  }

  /** One line of text: {@code 3:7: streams[0].strategy: ...}. */
  @Override
  public String toString() {
    return line + ":" + column + ": " + (path.isEmpty() ? "" : path + ": ") + message;
  }
}
