package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.streammigrator.plan.OnFailure;
import org.streammigrator.plan.RunPlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;

/**
 * Carries out the streams of a plan, wave after wave and several of a wave at a time.
 *
 * <p>Guarantees: a wave begins when the one before it has ended; a stream whose turn has not come,
 * or that waits for one that is not done, is not begun; a stream that fails is alone with that,
 * unless the plan says to stop, and then those that have begun come to their end and no other one
 * begins. Two streams with something in common that only one may have at a time (an old checkpoint,
 * a job of a workspace, the Spark jobs of this machine) come one after the other.
 */
public final class Fleet {
  private final Work work;
  private final RunPlan run;
  private final Map<String, ReentrantLock> held = new ConcurrentHashMap<>();
  private volatile boolean stopped;

  /** What is done with the streams. */
  public interface Work {
    /** Carries one stream out; called by several threads. */
    StreamOutcome carryOut(StreamPlan stream);

    /** Says that a stream was not begun. */
    void left(StreamOutcome outcome);
  }

  /**
   * Prepares it.
   *
   * @param run how many streams at a time, and what becomes of the others when one fails
   */
  public Fleet(RunPlan run, Work work) {
    this.run = requireNonNull(run, "run");
    this.work = requireNonNull(work, "work");
  }

  /**
   * Carries the streams out.
   *
   * @param unfinished names of other streams of the plan that are not done, for {@code after}
   * @return how each ended, in the order in which {@code plan} shows them
   * @throws IOException if the thread is interrupted
   */
  public List<StreamOutcome> run(List<StreamPlan> streams, Set<String> unfinished)
      throws IOException {
    Set<String> open = new HashSet<>(unfinished);
    Map<String, StreamOutcome> outcomes = new HashMap<>();
    for (List<StreamPlan> wave : Waves.of(streams)) {
      List<StreamPlan> ready = new ArrayList<>();
      for (StreamPlan stream : wave) {
        Optional<String> blocker = stream.after().stream().filter(open::contains).findFirst();
        if (blocker.isPresent()) {
          outcomes.put(
              stream.name(), left(stream, "it waits for " + blocker.get() + ", which is not done"));
        } else {
          ready.add(stream);
        }
      }
      for (StreamOutcome outcome : together(ready)) {
        outcomes.put(outcome.name(), outcome);
      }
      for (StreamPlan stream : wave) {
        if (!outcomes.get(stream.name()).finished()) {
          open.add(stream.name());
        }
      }
    }
    return StreamPlanner.ordered(streams).stream()
        .map(stream -> outcomes.get(stream.name()))
        .toList();
  }

  private List<StreamOutcome> together(List<StreamPlan> streams) throws IOException {
    int threads = Math.min(run.parallelism(), streams.size());
    List<StreamOutcome> outcomes = new ArrayList<>();
    if (threads <= 1) {
      streams.forEach(stream -> outcomes.add(one(stream)));
      return outcomes;
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(threads, body -> new Thread(body, "migrator-stream"));
    try {
      List<Future<StreamOutcome>> futures = new ArrayList<>();
      streams.forEach(stream -> futures.add(pool.submit(() -> one(stream))));
      Optional<Throwable> unexpected = Optional.empty();
      for (Future<StreamOutcome> future : futures) {
        try {
          outcomes.add(future.get());
        } catch (ExecutionException failure) {
          unexpected = unexpected.or(() -> Optional.of(failure.getCause()));
        }
      }
      if (unexpected.isPresent()) {
        throw thrown(unexpected.get());
      }
      return outcomes;
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while streams were carried out", interrupted);
    } finally {
      pool.shutdownNow();
    }
  }

  private static RuntimeException thrown(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
    return cause instanceof RuntimeException unexpected
        ? unexpected
        : new IllegalStateException(cause);
  }

  private StreamOutcome one(StreamPlan stream) {
    List<ReentrantLock> locks = new ArrayList<>();
    for (String thing : things(stream)) {
      ReentrantLock lock = held.computeIfAbsent(thing, key -> new ReentrantLock(true));
      lock.lock();
      locks.add(lock);
    }
    try {
      if (stopped) {
        return left(stream, "an earlier stream is not done, and the plan says to stop then");
      }
      StreamOutcome outcome = work.carryOut(stream);
      if (!outcome.finished() && run.onFailure() == OnFailure.STOP) {
        stopped = true;
      }
      return outcome;
    } catch (RuntimeException | Error unexpected) {
      stopped = true;
      throw unexpected;
    } finally {
      locks.forEach(ReentrantLock::unlock);
    }
  }

  private StreamOutcome left(StreamPlan stream, String why) {
    StreamOutcome outcome =
        new StreamOutcome(
            stream.name(), StreamOutcome.Status.WAITING, why, List.of(), Optional.empty());
    work.left(outcome);
    return outcome;
  }

  /** What only one stream may have at a time, sorted, so that no two wait for each other. */
  private static Set<String> things(StreamPlan stream) {
    Set<String> things = new TreeSet<>();
    things.add("checkpoint " + stream.checkpoint().from());
    stream.job().ifPresent(job -> things.add(job(job.workspace(), job.id().or(job::name))));
    stream.cutover().ifPresent(next -> things.add(job(next.workspace(), next.id().or(next::name))));
    if (stream.strategy() == Strategy.BACKFILL || stream.strategy() == Strategy.REPLAY) {
      things.add("spark");
    }
    return things;
  }

  private static String job(Optional<String> workspace, Optional<String> job) {
    return "job " + workspace.orElse("") + " " + job.orElse("");
  }
}
