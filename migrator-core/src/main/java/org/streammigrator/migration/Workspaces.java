package org.streammigrator.migration;

import java.io.IOException;
import org.streammigrator.databricks.Jobs;

/** The workspaces of a plan. */
public interface Workspaces {
  /**
   * The jobs of a workspace.
   *
   * @param name the workspace's name in the plan
   * @throws IOException if its host or its credentials are not to be had
   */
  Jobs jobs(String name) throws IOException;
}
