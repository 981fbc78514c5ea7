package org.streammigrator.databricks;

import static java.util.Objects.requireNonNull;

/** How a job is named: by its id, or by a name that only one job of the workspace has. */
public sealed interface JobReference {
  /** By its id. */
  record ById(long id) implements JobReference {
    @Override
    public String toString() {
      return "job " + id;
    }
  }

  /** By its name, exactly. */
  record ByName(String name) implements JobReference {
    public ByName {
      requireNonNull(name, "name");
    }

    @Override
    public String toString() {
      return "job '" + name + "'";
    }
  }
}
