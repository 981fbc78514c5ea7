package org.streammigrator.jobs;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.streammigrator.databricks.JarTask;
import org.streammigrator.databricks.VolumesServer;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * A cluster of one process: its class path is Spark's, and the jars that the task names. The volume
 * is mounted into a directory, for as long as the task runs.
 *
 * @param volume reaches the volume
 * @param mount stands for {@code /Volumes}
 * @param runtime the jars that the cluster has
 */
record LocalCluster(Store volume, Path mount, List<String> runtime) implements JarTask {
  @Override
  public void run(Submitted task) throws Exception {
    Location root = Location.parse(VolumesServer.VOLUME, Path.of("/"));
    for (StoreEntry entry : volume.walk(root)) {
      if (!entry.isDirectory()) {
        Path file = mounted(entry.location().path());
        Files.createDirectories(file.getParent());
        try (InputStream in = volume.open(entry.location())) {
          Files.copy(in, file, StandardCopyOption.REPLACE_EXISTING);
        }
      }
    }
    List<String> classPath = new ArrayList<>();
    task.jars().forEach(jar -> classPath.add(mounted(jar).toString()));
    classPath.addAll(runtime);
    List<String> arguments = new ArrayList<>(List.of(task.mainClass()));
    task.parameters().forEach(parameter -> arguments.add(mounted(parameter).toString()));
    SparkJvm jvm = new SparkJvm(String.join(File.pathSeparator, classPath), options());
    Path log = mount.resolve("driver.log");
    Process driver =
        new ProcessBuilder(
                jvm.command(mount.resolve("java.args"), ClusterDriver.class.getName(), arguments))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      int exit = driver.waitFor();
      upload(root);
      if (exit != 0 || !Files.readString(log).contains("the driver goes on")) {
        throw new IOException("exit code " + exit + ": " + Files.readString(log));
      }
    } finally {
      driver.destroyForcibly();
    }
  }

  private void upload(Location root) throws IOException {
    Path directory = mounted(root.path());
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Location place = root.child(directory.relativize(file).toString());
        if (volume.stat(place).isEmpty()) {
          volume.write(place, out -> Files.copy(file, out), Optional.empty());
        }
      }
    }
  }

  private Path mounted(String path) {
    return mount.resolve(path.substring(1));
  }

  private static List<String> options() throws IOException {
    List<String> options = new ArrayList<>();
    try (InputStream in = SparkJvm.class.getResourceAsStream("spark-jvm.options")) {
      options.addAll(List.of(new String(in.readAllBytes()).strip().split("\\s+")));
    }
    options.addAll(List.of("-Xmx1g", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    return options;
  }
}
