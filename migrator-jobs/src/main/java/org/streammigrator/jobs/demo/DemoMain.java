package org.streammigrator.jobs.demo;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.streammigrator.jobs.session.LocalSpark;

/**
 * The demo: {@code DemoMain [DIR] [--debug]}. DIR must be empty or not exist; without it a fresh
 * directory {@code migrator-demo}, {@code migrator-demo-2} and so on is made where the user stands.
 *
 * <p>Exit codes: 0 the migration is proved; 1 unexpected error; 2 the directory cannot be used; 6
 * something is off.
 */
public final class DemoMain {
  private static final int UNEXPECTED = 1;
  private static final int USAGE = 2;

  private DemoMain() {}

  /** Runs the demo and ends the JVM. */
  public static void main(String[] arguments) {
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    // Whatever a library prints does not belong into the story.
    System.setOut(System.err);
    int exit = run(List.of(arguments), out, System.err);
    out.flush();
    System.exit(exit);
  }

  /** Runs the demo; the exit code is the return value. */
  public static int run(List<String> arguments, PrintStream out, PrintStream err) {
    List<String> directories = new ArrayList<>(arguments);
    boolean debug = directories.remove("--debug");
    if (directories.size() > 1 || directories.stream().anyMatch(name -> name.startsWith("-"))) {
      err.println("usage: migrator demo [DIR]");
      return USAGE;
    }
    Path directory;
    try {
      directory = directories.isEmpty() ? fresh() : usable(directories.get(0));
    } catch (IOException | InvalidPathException e) {
      err.println("migrator: " + e.getMessage());
      return USAGE;
    }
    DemoScene scene = new DemoScene(directory);
    if (System.getProperty(LocalSpark.LOG_FILE) == null) {
      System.setProperty(LocalSpark.LOG_FILE, scene.sparkLog().toString());
    }
    try {
      return new DemoStory(scene, new Narrator(out)).tell();
    } catch (Exception e) {
      err.println(
          "migrator: the demo broke off: %s; what it made so far is in %s"
              .formatted(e.getMessage() == null ? e : e.getMessage(), directory));
      if (debug) {
        e.printStackTrace(err);
      }
      return UNEXPECTED;
    }
  }

  private static Path fresh() throws IOException {
    for (int number = 1; ; number++) {
      Path directory =
          Path.of(number == 1 ? "migrator-demo" : "migrator-demo-" + number).toAbsolutePath();
      if (!Files.exists(directory)) {
        return usable(directory.toString());
      }
    }
  }

  private static Path usable(String name) throws IOException {
    Path directory = Path.of(name).toAbsolutePath().normalize();
    if (Files.exists(directory)) {
      if (!Files.isDirectory(directory)) {
        throw new IOException(directory + " is not a directory; name one that is empty or new");
      }
      try (Stream<Path> entries = Files.list(directory)) {
        if (entries.findAny().isPresent()) {
          throw new IOException(directory + " is not empty; name a directory that is empty or new");
        }
      }
    }
    try {
      Files.createDirectories(directory);
      Files.delete(Files.createTempFile(directory, "probe", null));
    } catch (IOException e) {
      throw new IOException("cannot write to " + directory + "; name another directory", e);
    }
    return directory;
  }
}
