package org.streammigrator.plan;

import java.util.List;
import java.util.Optional;

/**
 * What reading a plan file gave.
 *
 * @param plan the plan; present exactly if there are no problems
 * @param problems everything that is wrong, sorted by position
 */
public record PlanReading(Optional<Plan> plan, List<PlanProblem> problems) {
  public PlanReading {
    problems = List.copyOf(problems);
  }
}
