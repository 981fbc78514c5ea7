package org.streammigrator.cases;

import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The checkpoints and log files that Spark keeps for its own tests, from the test jars of its SQL
 * and Kafka modules. Those of the Kafka module lie below {@code kafka/}.
 */
final class SparkCheckpoints {
  private static final String FOLDER = "structured-streaming/";
  private static final String OF_SQL = FOLDER + "testCommitLogV1/testCommitLog";
  private static final String OF_KAFKA = "kafka-source-offset-version-2.1.0.txt";

  private SparkCheckpoints() {}

  /** Unpacks all of them. */
  static void unpack(Path target) throws IOException {
    unpack(OF_SQL, target);
    unpack(OF_KAFKA, target.resolve("kafka"));
  }

  private static void unpack(String known, Path target) throws IOException {
    URL url = SparkCheckpoints.class.getClassLoader().getResource(known);
    if (url == null) {
      throw new IOException("no test jar of Spark with " + known + " on the class path");
    }
    Path jar = Path.of(((JarURLConnection) url.openConnection()).getJarFileURL().getPath());
    try (ZipFile zip = new ZipFile(jar.toFile())) {
      for (ZipEntry entry : entries(zip)) {
        Path file = target.resolve(entry.getName().replaceFirst("^" + FOLDER, "")).normalize();
        if (!file.startsWith(target)) {
          throw new IOException("an entry leads out of the jar: " + entry.getName());
        }
        Files.createDirectories(file.getParent());
        try (InputStream in = zip.getInputStream(entry)) {
          Files.copy(in, file);
        }
      }
    }
  }

  private static List<ZipEntry> entries(ZipFile zip) {
    List<ZipEntry> wanted = new ArrayList<>();
    zip.stream()
        .filter(entry -> !entry.isDirectory())
        .filter(
            entry ->
                entry.getName().startsWith(FOLDER)
                    || entry.getName().matches("kafka-source-[^/]*\\.(txt|bin)"))
        .forEach(wanted::add);
    return wanted;
  }
}
