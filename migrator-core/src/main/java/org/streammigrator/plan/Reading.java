package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;

/**
 * What reading a document gave.
 *
 * @param value the document; present exactly if there are no problems
 * @param problems everything that is wrong, sorted by position
 */
public record Reading<T>(Optional<T> value, List<PlanProblem> problems) {
  public Reading {
    problems = List.copyOf(problems);
  }
}
