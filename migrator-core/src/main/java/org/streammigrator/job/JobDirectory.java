package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A temporary directory with the files that a job is started with. Nobody but its owner can read it
 * where the system knows owners.
 *
 * @param path where it is
 */
public record JobDirectory(Path path) {
  /** System property of a job: its directory, which it removes if its starter was killed. */
  public static final String PROPERTY = "migrator.job.directory";

  private static final String SPEC = "spec.json";
  private static final String ARGUMENTS = "java.args";

  public JobDirectory {
    requireNonNull(path, "path");
  }

  /** Makes one. */
  static JobDirectory make() throws IOException {
    return new JobDirectory(Files.createTempDirectory("migrator-job"));
  }

  /** That of the job which runs in this JVM; empty if its starter did not say. */
  public static Optional<JobDirectory> ofThisJob() {
    return Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of).map(JobDirectory::new);
  }

  /** Writes the job's spec. */
  Path write(JobSpec spec) throws IOException {
    return Files.writeString(path.resolve(SPEC), JobJson.write(spec));
  }

  /** Where a JVM's arguments are written in a directory. */
  static Path arguments(Path directory) {
    return directory.resolve(ARGUMENTS);
  }

  /** Removes it and the files that belong into it. */
  public void delete() {
    try {
      for (String file : List.of(SPEC, ARGUMENTS)) {
        Files.deleteIfExists(path.resolve(file));
      }
      Files.deleteIfExists(path);
    } catch (IOException e) {
      // Left-over temporary files harm nobody, and the result counts.
    }
  }
}
