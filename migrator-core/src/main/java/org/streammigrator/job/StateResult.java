package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;

/**
 * What the state job found.
 *
 * @param ok whether all that was to be compared was, and is the same; true where there was nothing
 *     to compare
 * @param operators the stateful operators, by their numbers
 * @param notCompared why the operators of the two could not be compared one by one; null: they
 *     were, or there was nothing to compare
 * @param durationMs wall clock, in milliseconds
 */
@JsonInclude(NON_NULL)
public record StateResult(boolean ok, List<Operator> operators, String notCompared, long durationMs)
    implements JobResult {

  /**
   * The entries of one operator: its keys, those of a session with the session's bounds, those of a
   * join with the side and as often as the side has rows for them.
   *
   * @param operator its number; Spark counts from the sink
   * @param name as Spark calls it, such as {@code stateStoreSave}
   * @param entries how many there are; null: they cannot be read this way
   * @param earliestSession the start of the earliest session, in whole milliseconds; null: it has
   *     none
   * @param comparison how the other's differ; null: they were not to be compared
   */
  @JsonInclude(NON_NULL)
  public record Operator(
      int operator, String name, Long entries, Instant earliestSession, Comparison comparison) {
    public Operator {
      requireNonNull(name, "name");
    }
  }

  /**
   * How entries differ.
   *
   * @param missing entries that the other lacks
   * @param extra entries that only the other has
   * @param examples up to five of each, the first as they sort as texts, as JSON objects; what is a
   *     secret by its column's name is shown as {@code ***}
   * @param notCompared why they were not compared, and then nothing differs; null: they were
   */
  @JsonInclude(NON_NULL)
  public record Comparison(long missing, long extra, Examples examples, String notCompared) {
    /** Two operators that cannot be compared. */
    public static Comparison impossible(String why) {
      return new Comparison(0, 0, null, requireNonNull(why, "why"));
    }

    /** Whether the two were compared and are the same. */
    public boolean isSame() {
      return notCompared == null && missing == 0 && extra == 0;
    }
  }

  /** Entries that differ. */
  public record Examples(List<String> missing, List<String> extra) {
    public Examples {
      missing = List.copyOf(missing);
      extra = List.copyOf(extra);
    }
  }

  public StateResult {
    operators = List.copyOf(operators);
  }

  @Override
  public String job() {
    return StateSpec.JOB;
  }
}
