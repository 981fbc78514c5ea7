package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;

/**
 * What the repartition job does: a copy of a checkpoint whose state has another number of
 * partitions.
 *
 * @param checkpoint the old checkpoint, which is only read
 * @param to where the new one goes; nothing, or an empty directory, is there
 * @param partitions how many partitions the state shall have, 1 to {@value #MOST}
 * @param dryRun whether it is only said what would be done; null: no
 * @param result where the job's main writes its result; null: nowhere
 */
@JsonInclude(NON_NULL)
public record RepartitionSpec(
    @JsonProperty(required = true) String checkpoint,
    @JsonProperty(required = true) String to,
    @JsonProperty(required = true) Integer partitions,
    Boolean dryRun,
    String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "repartition";

  /** The largest number of partitions: one directory each, for every store of every operator. */
  public static final int MOST = 100_000;

  /** All there is to say of most of them. */
  public static RepartitionSpec of(String checkpoint, String to, int partitions) {
    return new RepartitionSpec(checkpoint, to, partitions, null, null);
  }

  public RepartitionSpec {
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(checkpoint, "checkpoint");
    wrong.requireText(to, "to");
    wrong.unless(
        partitions != null && partitions >= 1 && partitions <= MOST,
        "partitions: " + partitions + " is not between 1 and " + MOST);
    wrong.raise();
    dryRun = Objects.requireNonNullElse(dryRun, false);
  }

  @Override
  public String job() {
    return JOB;
  }

  @Override
  public boolean readsOnly() {
    return dryRun;
  }
}
