package org.streammigrator.migration;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.plan.StreamPlan;

/**
 * The waves that {@code after} makes of streams: in the first are those that wait for none of the
 * others, and each other stream is in the wave that follows the last one of those it waits for.
 */
public final class Waves {
  private Waves() {}

  /** The waves, each in the order of the plan. */
  public static List<List<StreamPlan>> of(List<StreamPlan> streams) {
    Map<String, Integer> numbers = new HashMap<>();
    for (StreamPlan stream : StreamPlanner.ordered(streams)) {
      int number = 0;
      for (String name : stream.after()) {
        number = Math.max(number, numbers.getOrDefault(name, -1) + 1);
      }
      numbers.put(stream.name(), number);
    }
    List<List<StreamPlan>> waves = new ArrayList<>();
    for (StreamPlan stream : streams) {
      int number = numbers.get(stream.name());
      while (waves.size() <= number) {
        waves.add(new ArrayList<>());
      }
      waves.get(number).add(stream);
    }
    return waves;
  }
}
