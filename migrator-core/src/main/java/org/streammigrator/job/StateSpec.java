package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * What the state job looks at: the entries of a checkpoint's state, and whether another one's are
 * the same.
 *
 * @param state what is read
 * @param against what is compared with it; null: nothing
 * @param result where the job's main writes its result; null: nowhere
 */
@JsonInclude(NON_NULL)
public record StateSpec(@JsonProperty(required = true) State state, State against, String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "state";

  /**
   * The state that a batch has left.
   *
   * @param checkpoint the checkpoint's path
   * @param batch a batch that is committed; 0 or more
   */
  public record State(
      @JsonProperty(required = true) String checkpoint, @JsonProperty(required = true) Long batch) {
    public State {
      SpecProblems wrong = new SpecProblems();
      wrong.requireText(checkpoint, "checkpoint");
      wrong.unless(batch != null && batch >= 0, "batch: " + batch + " is not 0 or more");
      wrong.raise();
    }
  }

  public StateSpec {
    SpecProblems wrong = new SpecProblems();
    wrong.unless(state != null, "state is missing");
    wrong.raise();
  }

  @Override
  public String job() {
    return JOB;
  }

  @Override
  public boolean readsOnly() {
    return true;
  }
}
