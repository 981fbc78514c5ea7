package org.streammigrator.job;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** How the process of a job is started. */
public interface JobLauncher {
  /** The jobs' main class. */
  String MAIN = "org.streammigrator.jobs.JobMain";

  /**
   * The command, which runs {@value #MAIN} with the given arguments.
   *
   * @param directory a place for files that the command needs
   * @param arguments what the main class is given
   */
  List<String> command(Path directory, List<String> arguments) throws IOException;
}
