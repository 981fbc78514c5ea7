package org.streammigrator.jobs.copy;

import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.TaskContext;
import org.streammigrator.copy.CopyOptions;
import org.streammigrator.copy.TreeCopy;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.StoreTraits;
import scala.collection.Iterator;
import scala.runtime.AbstractFunction2;

/**
 * What an executor does: copies its part and proves that it is there. Attempts may be repeated and
 * may run at the same time: a file that another attempt has put there is compared, not written
 * again.
 */
final class CopyTask extends AbstractFunction2<TaskContext, Iterator<CopyPart>, CopiedPart>
    implements Serializable {
  private static final long serialVersionUID = 1;
  private static final int REMOTE_THREADS = 8;

  private final ExecutorStorage storage;
  private final String attempts;
  private final Integer threads;
  private final boolean readBack;

  /**
   * A task for every part.
   *
   * @param attempts where files are written before they get their names
   * @param threads files at the same time; null leaves it to the places
   * @param readBack whether files are read back that the store itself has compared
   */
  CopyTask(ExecutorStorage storage, Location attempts, Integer threads, boolean readBack) {
    this.storage = storage;
    this.attempts = attempts.toString();
    this.threads = threads;
    this.readBack = readBack;
  }

  @Override
  public CopiedPart apply(TaskContext context, Iterator<CopyPart> parts) {
    CopyPart part = parts.next();
    try {
      return copy(context, part);
    } catch (IOException failure) {
      // Spark shows the message of the cause.
      throw new UncheckedIOException(failure);
    }
  }

  private CopiedPart copy(TaskContext context, CopyPart part) throws IOException {
    Store plain = storage.open();
    Location place = part.place();
    StoreTraits traits = plain.traits(place);
    Location attempt =
        Location.parse(attempts, java.nio.file.Path.of("/"))
            .child(context.stageAttemptNumber() + "-" + context.taskAttemptId());
    boolean apart = traits.publishes() && !traits.wholeOrNothing();
    Store store = apart ? new AttemptStore(plain, attempt) : plain;
    List<PartSource> files = new ArrayList<>(part.size());
    boolean local = place.isLocal();
    for (int i = 0; i < part.size(); i++) {
      StoreEntry source = part.source(i);
      local &= source.location().isLocal();
      files.add(new PartSource(part.path(i), source, context::isInterrupted));
    }
    // What the driver has listed may have been written by an earlier attempt meanwhile.
    Map<String, StoreEntry> there =
        context.attemptNumber() == 0 ? part.there() : now(plain, place, files);
    CopyOptions options =
        CopyOptions.DEFAULT
            .withThreads(threads != null ? threads : local ? 1 : REMOTE_THREADS)
            .verifiedBy(readBack ? CopyOptions.Verify.READ : CopyOptions.Verify.CHECKSUM);
    try {
      return new CopiedPart(new TreeCopy(store, place, options).copyProven(files, there));
    } finally {
      if (apart) {
        tidy(plain, attempt);
      }
    }
  }

  private static void tidy(Store store, Location attempt) {
    try {
      store.delete(attempt);
    } catch (IOException left) {
      // The driver removes what is left of all attempts.
    }
  }

  private static Map<String, StoreEntry> now(Store store, Location place, List<PartSource> files)
      throws IOException {
    Map<String, StoreEntry> there = new HashMap<>();
    for (PartSource file : files) {
      Optional<StoreEntry> found = store.stat(place.child(file.path()));
      found.ifPresent(entry -> there.put(file.path(), entry));
    }
    return there;
  }
}
