package org.streammigrator.jobs.demo;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.checkpointing.CheckpointFileManager;
import org.apache.spark.sql.execution.streaming.checkpointing.FileContextBasedCheckpointFileManager;

/**
 * Spark's own file manager for checkpoints, which throws instead of writing one commit file. Spark
 * makes it by name, from the session's setting {@code
 * spark.sql.streaming.checkpointFileManagerClass}.
 */
public final class StoppingCheckpointFileManager extends FileContextBasedCheckpointFileManager {
  /** Session setting: the whole path of the commit file that is not to be written. */
  public static final String STOP_AT = "migrator.demo.stopAtCommitFile";

  private final Path stopAt;

  /** The constructor that Spark calls. */
  public StoppingCheckpointFileManager(Path directory, Configuration configuration) {
    super(directory, configuration);
    String path = configuration.get(STOP_AT);
    stopAt = path == null ? null : new Path(path);
  }

  @Override
  public CheckpointFileManager.CancellableFSDataOutputStream createAtomic(
      Path path, boolean overwriteIfPossible) {
    if (stopAt != null && stopAt.toUri().getPath().equals(path.toUri().getPath())) {
      throw new PlannedStopException("planned stop before " + path.getName() + " is committed");
    }
    return super.createAtomic(path, overwriteIfPossible);
  }
}
