package org.streammigrator.jobs.state;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.SparkSession;
import org.streammigrator.checkpoint.CommitLog;
import org.streammigrator.checkpoint.LogFormatException;
import org.streammigrator.job.StateSpec;

/**
 * A checkpoint as Spark's state reader can take it. The reader decodes a path that it has encoded
 * before ({@code StateSourceOptions}), so that it finds none with a blank or a percent sign: such a
 * local one is read through a link. And it takes the format of the state's files from the session,
 * not from the checkpoint, whose commits of version 2 have ids for format 2.
 */
public final class ReadableState implements AutoCloseable {
  private static final String FORMAT = "spark.sql.streaming.stateStore.checkpointFormatVersion";

  private final SparkSession session;
  private final StateSpec.State state;
  private final Optional<java.nio.file.Path> link;

  /**
   * Prepares a checkpoint for Spark.
   *
   * @throws IOException if the commit cannot be read, or the link not be made
   */
  public ReadableState(SparkSession spark, StateSpec.State state) throws IOException {
    this.state = requireNonNull(state, "state");
    this.session = spark.newSession();
    session.conf().set("spark.sql.session.timeZone", "UTC");
    Path checkpoint = new Path(state.checkpoint());
    FileSystem files = checkpoint.getFileSystem(spark.sessionState().newHadoopConf());
    Path commit = new Path(checkpoint, "commits/" + state.batch());
    if (files.exists(commit)) {
      session.conf().set(FORMAT, hasIds(files, commit) ? "2" : "1");
    }
    String scheme = checkpoint.toUri().getScheme();
    boolean isLocal = scheme == null || scheme.equals("file");
    boolean isPlain = checkpoint.toUri().getRawPath().equals(checkpoint.toUri().getPath());
    this.link =
        isLocal && !isPlain
            ? Optional.of(
                Files.createSymbolicLink(
                    Files.createTempDirectory("migrator-state").resolve("checkpoint"),
                    java.nio.file.Path.of(checkpoint.toUri().getPath()).toAbsolutePath()))
            : Optional.empty();
  }

  private static boolean hasIds(FileSystem files, Path commit) throws IOException {
    try (InputStream in = files.open(commit)) {
      return !CommitLog.parse(in.readAllBytes()).stateUniqueIds().isEmpty();
    } catch (LogFormatException corrupt) {
      throw new IOException(commit + ": " + corrupt.getMessage(), corrupt);
    }
  }

  /** A session of its own, set up for the checkpoint. */
  public SparkSession session() {
    return session;
  }

  /** The checkpoint's path as Spark can take it. */
  public String path() {
    return link.map(java.nio.file.Path::toString).orElse(state.checkpoint());
  }

  StateSpec.State state() {
    return state;
  }

  /** A reader of one of Spark's sources of state. */
  public DataFrameReader reader(String source) {
    return session.read().format(source).option("path", path());
  }

  @Override
  public void close() throws IOException {
    if (link.isPresent()) {
      Files.delete(link.get());
      Files.delete(link.get().getParent());
    }
  }
}
