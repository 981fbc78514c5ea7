package org.streammigrator.jobs.copy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.InvalidJobSpecException;
import org.streammigrator.plan.Plan;
import org.streammigrator.plan.PlanReader;
import org.streammigrator.plan.PlanReading;

/** The plan that a copy is, of one stream; read as a plan file is, so that the same rules hold. */
public final class RelocationPlan {
  private static final String NAME = "copy";

  private RelocationPlan() {}

  /**
   * Makes the plan.
   *
   * @param directory relative paths of the spec are relative to it
   * @throws InvalidJobSpecException if the spec makes no plan
   */
  public static Plan of(CopySpec spec, Path directory) {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode stream =
        mapper
            .createObjectNode()
            .put("name", NAME)
            .put("strategy", "relocate")
            .put("copy", spec.copy());
    stream.putObject("checkpoint").put("from", spec.from()).put("to", spec.to());
    if (spec.sink() != null) {
      stream.set("sink", spec.sink());
    }
    if (spec.rewrite() != null) {
      stream.set("rewrite", spec.rewrite());
    }
    if (!spec.accept().isEmpty()) {
      spec.accept().forEach(stream.putArray("accept")::add);
    }
    ObjectNode plan = mapper.createObjectNode().put("version", 1).put("name", NAME);
    plan.putArray("streams").add(stream);
    PlanReading reading =
        PlanReader.read(plan.toString(), directory, Map.of(), name -> Optional.empty());
    if (reading.plan().isEmpty()) {
      List<String> problems = new ArrayList<>();
      reading.problems().forEach(problem -> problems.add(problem.message()));
      throw new InvalidJobSpecException(problems);
    }
    return reading.plan().get();
  }
}
