package org.streammigrator.job.remote;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.job.JobJson;
import org.streammigrator.job.JobSpec;
import org.streammigrator.storage.Content;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * One attempt at a job: {@code jobs/DIGEST/N} in the volume. The digest is that of the spec, so
 * that whoever runs the same spec finds the attempt that goes on; once it is closed, the next one
 * has another number. Nothing in it is written twice by this program.
 */
final class RunDirectory {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DIGEST_CHARACTERS = 24;
  private static final int TOKEN_CHARACTERS = 48;

  private final Store store;
  private final Location jobs;
  private final int number;

  private RunDirectory(Store store, Location jobs, int number) {
    this.store = store;
    this.jobs = jobs;
    this.number = number;
  }

  /**
   * The attempt that goes on, or the next one.
   *
   * @param volume where everything is
   */
  static RunDirectory open(Store store, Location volume, JobSpec spec) throws IOException {
    requireNonNull(store, "store");
    String digest = Digests.sha256(JobJson.write(spec)).substring(0, DIGEST_CHARACTERS);
    Location jobs = volume.child("jobs").child(spec.job() + "-" + digest);
    int last = 0;
    try {
      for (StoreEntry entry : store.list(jobs)) {
        String name = entry.location().name();
        if (entry.isDirectory() && name.matches("[1-9][0-9]{0,6}")) {
          last = Math.max(last, Integer.parseInt(name));
        }
      }
    } catch (NoSuchFileException none) {
      // Then this is the first.
    }
    RunDirectory attempt = new RunDirectory(store, jobs, Math.max(last, 1));
    return attempt.read(RunFiles.CLOSED).isPresent() ? attempt.next() : attempt;
  }

  /** The attempt after this one. */
  RunDirectory next() {
    return new RunDirectory(store, jobs, number + 1);
  }

  /** Where its files are. */
  Location location() {
    return jobs.child(Integer.toString(number));
  }

  /** The same for every attempt that is this one, wherever it is made; at most 64 characters. */
  String token() {
    return "migrator-" + Digests.sha256(location().toString()).substring(0, TOKEN_CHARACTERS);
  }

  /** Writes a file; does nothing if it is there already. */
  void write(String name, String content) throws IOException {
    try {
      store.write(location().child(name), Content.of(content.getBytes(UTF_8)), Optional.empty());
    } catch (FileAlreadyExistsException there) {
      // Another one that is at the same attempt was faster, or this one before a crash.
    }
  }

  /** The run that was submitted; empty if nobody has noted one. */
  OptionalLong run() throws IOException {
    Optional<String> noted = read(RunFiles.RUN);
    return noted.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(JSON.readTree(noted.get()).path("run").asLong());
  }

  /** Notes the run. */
  void started(long run, String host) throws IOException {
    ObjectNode note = JSON.createObjectNode().put("run", run).put("workspace", host);
    write(RunFiles.RUN, note + "\n");
  }

  /** Ends the attempt: the next one to run the spec begins another. */
  void close(String why) throws IOException {
    write(RunFiles.CLOSED, JSON.createObjectNode().put("why", why) + "\n");
  }

  /** How the job ended; empty as long as it has not said so. */
  Optional<RunOutcome> outcome() throws IOException {
    return read(RunFiles.OUTCOME).flatMap(RunOutcome::parse);
  }

  /** What it has told so far; empty if nothing. */
  String progress() throws IOException {
    return read(RunFiles.PROGRESS).orElse("");
  }

  private Optional<String> read(String name) throws IOException {
    try {
      return Optional.of(new String(store.readAll(location().child(name)), UTF_8));
    } catch (NoSuchFileException none) {
      return Optional.empty();
    }
  }
}
