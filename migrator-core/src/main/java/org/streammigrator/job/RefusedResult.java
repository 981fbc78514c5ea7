package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/**
 * What a job says that has written nothing, since a finding forbids it.
 *
 * @param job the job's name
 * @param ok false
 * @param findings what was noticed
 */
public record RefusedResult(@JsonIgnore String job, boolean ok, List<JsonNode> findings)
    implements JobResult {

  public RefusedResult {
    requireNonNull(job, "job");
    findings = List.copyOf(findings);
  }
}
