package org.streammigrator.databricks;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** What a workspace's cluster would do with a task of a jar. */
public interface JarTask {
  /**
   * A task as it was submitted.
   *
   * @param mainClass the class that is run
   * @param parameters its arguments
   * @param jars the jars of its libraries, or of its environment
   * @param task all of it, as the API has it
   */
  record Submitted(String mainClass, List<String> parameters, List<String> jars, JsonNode task) {}

  /** Runs it to its end; whatever is thrown is what the driver failed with. */
  void run(Submitted task) throws Exception;
}
