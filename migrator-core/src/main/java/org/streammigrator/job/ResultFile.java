package org.streammigrator.job;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Where a job's result is to go, looked at before the job begins. */
public final class ResultFile {
  private static final int HEAD = 256;

  private ResultFile() {}

  /**
   * What forbids writing a result to a local file: there is no such directory, it lies in a
   * checkpoint, or another file would be replaced.
   *
   * @param result as the spec says it; null for none. What has another scheme than {@code file} is
   *     not looked at
   * @param directory which a relative path begins at
   */
  public static Optional<String> problem(String result, Path directory) {
    if (result == null || result.matches("[A-Za-z][A-Za-z0-9+.-]+:.*") && !isFile(result)) {
      return Optional.empty();
    }
    Path file;
    try {
      file = directory.resolve(isFile(result) ? result.replaceFirst("^file:/*", "/") : result);
      file = file.toAbsolutePath().normalize();
    } catch (InvalidPathException none) {
      return Optional.of("`result`: " + result + " is no path");
    }
    Path parent = file.getParent();
    if (parent == null || Files.isDirectory(file)) {
      return Optional.of("`result`: " + result + " is a directory; name a file in it");
    }
    if (!Files.isDirectory(parent)) {
      return Optional.of("`result`: there is no directory " + parent + "; make it");
    }
    try {
      for (Path above = parent.toRealPath(); above != null; above = above.getParent()) {
        if (Files.isDirectory(above.resolve("offsets"))
            && (Files.isDirectory(above.resolve("commits"))
                || Files.exists(above.resolve("metadata")))) {
          return Optional.of(
              "`result`: " + result + " lies in the checkpoint " + above + "; name another place");
        }
      }
      return Files.exists(file) && !isResult(file)
          ? Optional.of(
              "`result`: there is a file "
                  + file
                  + " that is no job's result, and it is not replaced; name another place")
          : Optional.empty();
    } catch (IOException unreadable) {
      return Optional.of("`result`: " + result + " cannot be looked at; name another place");
    }
  }

  private static boolean isFile(String result) {
    return result.startsWith("file:");
  }

  private static boolean isResult(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      return true; // /dev/stdout and its like
    }
    try (InputStream in = Files.newInputStream(file)) {
      String head = new String(in.readNBytes(HEAD), StandardCharsets.UTF_8);
      return head.isBlank() || head.contains("migrator/job-result/1");
    }
  }
}
