package org.streammigrator.job;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * How a JVM with Spark on its class path is started, so that Spark is on no other class path.
 *
 * @param classPath the jobs' class path
 * @param options what the JVM is started with, before the class path
 */
public record SparkJvm(String classPath, List<String> options) {
  /** System property: the jobs' class path. */
  public static final String CLASS_PATH = "migrator.jobs.classpath";

  /**
   * System property: a file that holds the jobs' class path, where {@link #CLASS_PATH} is not set.
   */
  public static final String CLASS_PATH_FILE = "migrator.jobs.classpath.file";

  /** System property: further options of the JVM, separated by white space. */
  public static final String JVM_OPTIONS = "migrator.jobs.jvmOptions";

  public SparkJvm {
    requireNonNull(classPath, "classPath");
    options = List.copyOf(options);
  }

  /**
   * What the launcher's system properties describe.
   *
   * @param brief whether what runs is over soon, so that compiling it well does not pay
   * @throws JobFailedException if they name no class path
   */
  public static SparkJvm fromSystemProperties(boolean brief) {
    List<String> options = new ArrayList<>(words(sparkOptions()));
    if (brief) {
      options.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
    }
    options.add("-Dfile.encoding=UTF-8");
    options.addAll(words(System.getProperty(JVM_OPTIONS, "")));
    String classPath = System.getProperty(CLASS_PATH);
    String file = System.getProperty(CLASS_PATH_FILE);
    if (classPath == null && file == null) {
      throw new JobFailedException(
          "where Spark is, is not known: neither %s nor %s is set; start the tool with its launcher"
              .formatted(CLASS_PATH, CLASS_PATH_FILE));
    }
    if (classPath == null) {
      try {
        classPath = Files.readString(Path.of(file)).strip();
      } catch (IOException e) {
        throw new JobFailedException("cannot read the jobs' class path from " + file, e);
      }
    }
    return new SparkJvm(classPath, options);
  }

  /**
   * The command that runs a main class.
   *
   * @param argumentFile written with everything that follows {@code java}, since class paths may be
   *     longer than command lines
   */
  public List<String> command(Path argumentFile, String main, List<String> arguments)
      throws IOException {
    List<String> words = new ArrayList<>(options);
    words.addAll(List.of("-cp", classPath, main));
    words.addAll(arguments);
    Files.write(argumentFile, words.stream().map(SparkJvm::quoted).toList());
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return List.of(java.toString(), "@" + argumentFile);
  }

  /** What Spark asks of the JVM; the build writes it from one place for tests and launches. */
  private static String sparkOptions() {
    try (InputStream in = SparkJvm.class.getResourceAsStream("spark-jvm.options")) {
      return new String(requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new JobFailedException("the list of Spark's JVM options cannot be read", e);
    }
  }

  private static List<String> words(String text) {
    return Stream.of(text.split("\\s+")).filter(word -> !word.isEmpty()).toList();
  }

  /** A word of an argument file as {@code java} reads it. */
  private static String quoted(String word) {
    return '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
