package org.streammigrator.job;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What the copy job did.
 *
 * @param ok whether the copy is there, whole and verified; of a dry run, whether it could be made
 * @param status {@code done}, {@code unchanged} (an earlier run finished it), {@code dry-run},
 *     {@code refused}, {@code locked} or {@code stopped}
 * @param message the status in a sentence
 * @param from the old checkpoint
 * @param to the copy
 * @param manifest where the manifest is; null if there is none
 * @param files in the copy; null if nobody knows
 * @param bytes in those files; null if nobody knows
 * @param fingerprint SHA-256 over path, size and SHA-256 of every file; null if nothing is copied
 * @param tasks tasks that executors finished in this run
 * @param findings what was noticed
 * @param durationMs wall clock, in milliseconds
 */
@JsonInclude(NON_NULL)
public record CopyResult(
    boolean ok,
    String status,
    String message,
    String from,
    String to,
    String manifest,
    Long files,
    Long bytes,
    String fingerprint,
    long tasks,
    List<JsonNode> findings,
    long durationMs)
    implements JobResult {

  public CopyResult {
    requireNonNull(status, "status");
    requireNonNull(message, "message");
    findings = List.copyOf(findings);
  }

  /** The same after so many milliseconds. */
  public CopyResult lasting(long millis) {
    return new CopyResult(
        ok,
        status,
        message,
        from,
        to,
        manifest,
        files,
        bytes,
        fingerprint,
        tasks,
        findings,
        millis);
  }

  @Override
  public String job() {
    return CopySpec.JOB;
  }
}
