package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What the copy job does: a relocation whose files the executors copy.
 *
 * @param from the old checkpoint
 * @param to where the copy goes
 * @param copy {@code live} (what a restart needs) or {@code all}; null: live
 * @param sink the sink, as in a plan, so that a pending batch can be looked up in it; null: not
 *     named
 * @param rewrite prefixes of paths that moved, as in a plan; null: none
 * @param accept codes of findings that are taken knowingly; null: none
 * @param threads files that one task copies at the same time, 1 or more; null: 1 from disk to disk,
 *     else 8
 * @param verify {@code checksum} (what a store has compared itself is not read back) or {@code
 *     read}; null: checksum
 * @param dryRun whether it is only said what would be done; null: no
 * @param journal where the journal goes; null: beside the copy
 * @param takeOver whether another operator, which surely has ended, is put out; null: no
 * @param storage Hadoop settings by the location prefix they hold for; {@code ${env:NAME}} in them
 *     is looked up on the machine that uses it
 * @param result where the result is written; null: nowhere
 */
@JsonInclude(NON_NULL)
public record CopySpec(
    @JsonProperty(required = true) String from,
    @JsonProperty(required = true) String to,
    String copy,
    JsonNode sink,
    JsonNode rewrite,
    List<String> accept,
    Integer threads,
    String verify,
    Boolean dryRun,
    String journal,
    Boolean takeOver,
    Map<String, Map<String, String>> storage,
    String result)
    implements JobSpec {
  /** The job's name. */
  public static final String JOB = "copy";

  /** All there is to say of most copies. */
  public static CopySpec of(String from, String to) {
    return new CopySpec(from, to, null, null, null, null, null, null, null, null, null, null, null);
  }

  public CopySpec {
    SpecProblems wrong = new SpecProblems();
    wrong.requireText(from, "from");
    wrong.requireText(to, "to");
    copy = wrong.oneOf(copy, "copy", "live", "all");
    verify = wrong.oneOf(verify, "verify", "checksum", "read");
    wrong.unless(
        threads == null || threads >= 1 && threads <= 1000,
        "threads: " + threads + " is not between 1 and 1000");
    wrong.raise();
    accept = accept == null ? List.of() : List.copyOf(accept);
    dryRun = Objects.requireNonNullElse(dryRun, false);
    takeOver = Objects.requireNonNullElse(takeOver, false);
    storage = storage == null ? Map.of() : Map.copyOf(storage);
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
