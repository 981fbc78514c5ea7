package org.streammigrator.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobProcessTest {
  private static final long LIMIT_MS = 60_000;

  @TempDir private Path directory;

  /** A process that runs a job until it is stopped. */
  static final class Starter {
    private Starter() {}

    public static void main(String[] arguments) {
      Path home = Path.of(arguments[0]);
      new JobProcess(
              (files, words) ->
                  List.of("sh", "-c", "echo $$ > pid; exec sleep 100 " + words.get(0)),
              home)
          .run(CopySpec.of("from", "to"), line -> true);
    }
  }

  @Test
  void startersEndTakesTheJobAndItsFilesWithIt() throws Exception {
    Path temporary = Files.createDirectory(directory.resolve("tmp"));
    Process starter =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + temporary,
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Starter.class.getName(),
                directory.toString())
            .inheritIO()
            .start();
    Path pid = directory.resolve("pid");
    long limit = System.currentTimeMillis() + LIMIT_MS;
    while (!Files.exists(pid) || Files.readString(pid).isBlank()) {
      assertThat(starter.isAlive() && System.currentTimeMillis() < limit).isTrue();
      Thread.sleep(10);
    }
    assertThat(count(temporary)).isEqualTo(1);
    starter.destroy();
    starter.waitFor();
    assertThat(count(temporary)).isZero();
    long job = Long.parseLong(Files.readString(pid).strip());
    ProcessHandle.of(job).ifPresent(process -> process.onExit().join());
  }

  private static long count(Path temporary) throws IOException {
    try (Stream<Path> files = Files.list(temporary)) {
      return files.filter(file -> file.getFileName().toString().startsWith("migrator-job")).count();
    }
  }
}
