package org.streammigrator.job.remote;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.job.CopySpec;
import org.streammigrator.job.JobFailedException;
import org.streammigrator.job.JobSpec;
import org.streammigrator.job.RunnerSpec;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * The jars that a run needs, in the volume. A jar's name holds its SHA-256, so that it is uploaded
 * once, and one that is there is the right one.
 *
 * <p>Of the jobs' class path those go along that Databricks' runtime does not have: the jobs, this
 * program, and for a copy what reads plans and what reaches S3.
 */
final class JobJars {
  private static final String OWN = "migrator-";
  private static final List<String> FOR_COPIES = List.of("/org/snakeyaml/", "/software/amazon/");

  private final Store store;
  private final Location directory;
  private final String classPath;

  /**
   * @param directory where the jars are
   * @param classPath the jobs' class path, the jobs' jar first
   */
  JobJars(Store store, Location directory, String classPath) {
    this.store = requireNonNull(store, "store");
    this.directory = requireNonNull(directory, "directory");
    this.classPath = requireNonNull(classPath, "classPath");
  }

  /**
   * The places of the jars, as a cluster reads them; those that are not there are uploaded.
   *
   * @throws JobFailedException if one cannot be sent
   */
  List<String> places(JobSpec spec, RunnerSpec runner) throws IOException {
    if (runner.jar() != null) {
      Path local = Path.of(runner.jar().replaceFirst("^file:(//)?", ""));
      return isElsewhere(runner.jar()) ? List.of(cluster(runner.jar())) : List.of(upload(local));
    }
    List<String> places = new ArrayList<>();
    String[] own = classPath.split(File.pathSeparator);
    for (int i = 0; i < own.length; i++) {
      if (i == 0 || goesAlong(own[i], spec)) {
        places.add(upload(Path.of(own[i])));
      }
    }
    return places;
  }

  private static boolean isElsewhere(String jar) {
    return jar.startsWith("/Volumes/")
        || jar.startsWith("/Workspace/")
        || jar.matches("[a-z][a-z0-9]+:.*") && !jar.startsWith("file:");
  }

  /** Volumes by their paths, which is how libraries name them. */
  private static String cluster(String jar) {
    return jar.startsWith("dbfs:/Volumes/") ? jar.substring("dbfs:".length()) : jar;
  }

  private static boolean goesAlong(String jar, JobSpec spec) {
    String unix = jar.replace(File.separatorChar, '/');
    return unix.substring(unix.lastIndexOf('/') + 1).startsWith(OWN)
        || spec instanceof CopySpec && FOR_COPIES.stream().anyMatch(unix::contains);
  }

  private String upload(Path jar) throws IOException {
    if (!Files.isRegularFile(jar)) {
      throw new JobFailedException(
          jar
              + (Files.exists(jar) ? " is no jar" : " is not there")
              + ", and is to be uploaded; "
              + "start the tool with its launcher, which builds it, or give runner.jar");
    }
    String name = jar.getFileName().toString().replaceFirst("\\.jar$", "");
    Location place = directory.child(name + "-" + Digests.sha256(jar) + ".jar");
    Optional<StoreEntry> there = store.stat(place);
    if (there.isEmpty()) {
      try {
        store.write(place, out -> Files.copy(jar, out), Optional.empty());
      } catch (FileAlreadyExistsException meanwhile) {
        // Somebody else has sent the same.
      }
    } else if (there.get().size() != Files.size(jar)) {
      throw new JobFailedException(
          place
              + " has "
              + there.get().size()
              + " bytes instead of "
              + Files.size(jar)
              + ": somebody else has written it; remove it and run again");
    }
    return place.path();
  }
}
