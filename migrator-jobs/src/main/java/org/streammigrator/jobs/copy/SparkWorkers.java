package org.streammigrator.jobs.copy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.spark.SparkContext;
import org.apache.spark.SparkException;
import org.apache.spark.SparkExecutorInfo;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.streammigrator.copy.CopiedFile;
import org.streammigrator.copy.CopySource;
import org.streammigrator.copy.CopyWorkers;
import org.streammigrator.copy.SourceChangedException;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;
import scala.reflect.ClassTag;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/** Has Spark's executors copy. What a task has done is told as soon as it ends. */
final class SparkWorkers implements CopyWorkers {
  private final SparkContext spark;
  private final Location source;
  private final CopyTask task;
  private final AtomicLong tasks = new AtomicLong();

  /**
   * Workers for one copy.
   *
   * @param source the directory from which files come
   */
  SparkWorkers(SparkContext spark, Location source, CopyTask task) {
    this.spark = spark;
    this.source = source;
    this.task = task;
  }

  /** Tasks that have ended well. */
  long tasks() {
    return tasks.get();
  }

  @Override
  public void copy(
      Location place,
      List<CopySource> files,
      Map<String, StoreEntry> there,
      Consumer<CopiedFile> done)
      throws IOException {
    List<CopyPart> parts = new ArrayList<>();
    for (List<CopySource> part : Parts.of(files, Math.max(1, spark.defaultParallelism()))) {
      parts.add(new CopyPart(source, place, part, there));
    }
    if (parts.isEmpty()) {
      return;
    }
    RDD<CopyPart> rdd = new JavaSparkContext(spark).parallelize(parts, parts.size()).rdd();
    List<Object> all = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      all.add(i);
    }
    Receipts receipts = new Receipts(parts, done);
    try {
      spark.runJob(
          rdd,
          task,
          scala.jdk.javaapi.CollectionConverters.asScala(all).toSeq(),
          receipts,
          ClassTag.apply(CopiedPart.class));
    } catch (Exception failure) {
      awaitTasks();
      throw explained(failure);
    }
  }

  /**
   * Waits for the tasks that a failed job leaves running, a minute at most: the caller gives up its
   * lock, and nothing should be written after that.
   */
  private void awaitTasks() {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    try {
      while (running() > 0 && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(20);
      }
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private int running() {
    int tasks = 0;
    for (SparkExecutorInfo executor : spark.statusTracker().getExecutorInfos()) {
      tasks += executor.numRunningTasks();
    }
    return tasks;
  }

  /** What went wrong in a task, as far as Spark tells: it hands over a text, no exception. */
  private static IOException explained(Exception failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof UncheckedIOException io) {
        return io.getCause(); // It is the driver's own.
      }
    }
    String message = String.valueOf(failure.getMessage());
    String marker = SourceChangedException.class.getName() + ": ";
    int at = message.indexOf(marker);
    if (at >= 0) {
      String told = firstLine(message.substring(at + marker.length()));
      return new SourceChangedException(told.replaceFirst("\\. Stop the query .*", ""));
    }
    if (failure instanceof SparkException || failure instanceof RuntimeException) {
      return new IOException("the executors could not copy: " + cause(message), failure);
    }
    return new IOException(firstLine(message), failure);
  }

  /** The exception of a task as Spark writes it out: its class and its message. */
  private static String cause(String message) {
    return message
        .lines()
        .filter(line -> line.startsWith("Caused by: "))
        .map(line -> line.substring("Caused by: ".length()))
        .reduce((first, second) -> second)
        .orElseGet(() -> firstLine(message));
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("");
  }

  /** Takes the results in the driver, each part's once. */
  private final class Receipts extends AbstractFunction2<Object, CopiedPart, BoxedUnit> {
    private final List<CopyPart> parts;
    private final Consumer<CopiedFile> done;

    private Receipts(List<CopyPart> parts, Consumer<CopiedFile> done) {
      this.parts = parts;
      this.done = done;
    }

    @Override
    public BoxedUnit apply(Object index, CopiedPart copied) {
      copied.forEach(parts.get((Integer) index), done);
      tasks.incrementAndGet();
      return BoxedUnit.UNIT;
    }
  }
}
