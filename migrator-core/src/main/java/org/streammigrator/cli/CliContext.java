package org.streammigrator.cli;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.streammigrator.databricks.Volumes;
import org.streammigrator.databricks.Waits;
import org.streammigrator.job.JobRunner;
import org.streammigrator.job.LocalJobRunner;
import org.streammigrator.job.SparkJvm;
import org.streammigrator.storage.StorageSettings;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.Stores;

/**
 * What the commands take from outside, so that a test can run them in one process.
 *
 * @param directory relative paths on the command line are relative to it
 * @param environment the environment's variables
 * @param store where all files are
 * @param clock the time
 * @param ids new query ids
 * @param jobs where Spark jobs run; asked only when there is one to run
 * @param terminal what stderr is
 * @param waits how it waits for runs of workspaces
 */
public record CliContext(
    Path directory,
    Function<String, Optional<String>> environment,
    Store store,
    Clock clock,
    Supplier<UUID> ids,
    Supplier<JobRunner> jobs,
    Terminal terminal,
    Waits waits) {

  public CliContext {
    requireNonNull(directory, "directory");
    requireNonNull(environment, "environment");
    requireNonNull(store, "store");
    requireNonNull(clock, "clock");
    requireNonNull(ids, "ids");
    requireNonNull(jobs, "jobs");
    requireNonNull(terminal, "terminal");
    requireNonNull(waits, "waits");
  }

  /** Really waiting. */
  public CliContext(
      Path directory,
      Function<String, Optional<String>> environment,
      Store store,
      Clock clock,
      Supplier<UUID> ids,
      Supplier<JobRunner> jobs,
      Terminal terminal) {
    this(directory, environment, store, clock, ids, jobs, terminal, Waits.real(clock));
  }

  /** Without a terminal. */
  public CliContext(
      Path directory,
      Function<String, Optional<String>> environment,
      Store store,
      Clock clock,
      Supplier<UUID> ids,
      Supplier<JobRunner> jobs) {
    this(directory, environment, store, clock, ids, jobs, Terminal.NONE);
  }

  /** The real process. */
  public static CliContext ofProcess() {
    Function<String, Optional<String>> environment =
        name -> Optional.ofNullable(System.getenv(name));
    return new CliContext(
        Path.of("").toAbsolutePath(),
        environment,
        new Stores(StorageSettings.NONE, Map.of("dbfs", new Volumes(environment))),
        Clock.systemUTC(),
        UUID::randomUUID,
        () ->
            new LocalJobRunner(
                SparkJvm.fromSystemProperties(true), SparkJvm.fromSystemProperties(false)),
        Terminal.ofProcess(environment));
  }

  /** The same with another working directory. */
  public CliContext withDirectory(Path other) {
    return new CliContext(other, environment, store, clock, ids, jobs, terminal, waits);
  }

  /** The same over another store. */
  public CliContext withStore(Store other) {
    return new CliContext(directory, environment, other, clock, ids, jobs, terminal, waits);
  }

  /** The same with more settings of storage, where its store has any. */
  CliContext withStorage(StorageSettings more) {
    return store instanceof Stores stores ? withStore(stores.with(more)) : this;
  }

  /** The same with another clock. */
  public CliContext withClock(Clock other) {
    return new CliContext(directory, environment, store, other, ids, jobs, terminal, waits);
  }

  /** The same that waits in another way. */
  public CliContext withWaits(Waits other) {
    return new CliContext(directory, environment, store, clock, ids, jobs, terminal, other);
  }
}
