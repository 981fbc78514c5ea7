package org.streammigrator.job.remote;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.streammigrator.databricks.JobRun;
import org.streammigrator.databricks.Jobs;
import org.streammigrator.databricks.RunEnd;
import org.streammigrator.databricks.Waits;

/** A run that is followed. */
final class RunningJob {
  /** The workspace ends a run that takes too long; here it is waited for. */
  private static final Duration FOR_EVER = Duration.ofDays(3650);

  private final Jobs jobs;
  private final RunDirectory directory;
  private final long id;
  private final String url;
  private final AtomicBoolean isLeft = new AtomicBoolean();
  private int eventsTold;

  RunningJob(Jobs jobs, RunDirectory directory, long id, String url) {
    this.jobs = jobs;
    this.directory = directory;
    this.id = id;
    this.url = url;
  }

  RunDirectory directory() {
    return directory;
  }

  /** Waits for its end, and hands on what the job tells meanwhile. */
  JobRun await(Waits waits, Predicate<String> taken) throws IOException {
    JobRun ended = new RunEnd(jobs, waits).await(id, FOR_EVER, run -> tell(taken));
    tell(taken);
    isLeft.set(true);
    return ended;
  }

  /** Lines stay where they are, but for the last one, which may be another each time. */
  private void tell(Predicate<String> taken) {
    String progress;
    try {
      progress = directory.progress();
    } catch (IOException untold) {
      return; // Its end counts, and who cannot read that is told so.
    }
    if (!progress.endsWith("\n")) {
      return; // It is being written.
    }
    String[] lines = progress.split("\n");
    for (int i = Math.min(eventsTold, lines.length); i < lines.length; i++) {
      taken.test(lines[i]);
      if (lines[i].startsWith(RunFiles.KEPT)) {
        eventsTold = i + 1;
      }
    }
  }

  /** Lets it go on or asks for its end, once, when nobody waits for it any more. */
  void leave(boolean cancel, Consumer<String> notes) {
    if (isLeft.getAndSet(true)) {
      return;
    }
    if (!cancel) {
      notes.accept(goesOn());
      return;
    }
    try {
      jobs.cancel(id);
      directory.close("it was cancelled when the program was interrupted");
      notes.accept("cancelled run " + id + page());
    } catch (IOException refused) {
      notes.accept("run " + id + page() + " was not cancelled: " + refused.getMessage());
    }
  }

  /** What to know of it when it is not waited for. */
  String goesOn() {
    return "run " + id + page() + " goes on in the workspace; the same command waits for it again";
  }

  private String page() {
    return url.isEmpty() ? "" : " (" + url + ")";
  }
}
