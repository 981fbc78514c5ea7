package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.streammigrator.copy.CopyProgress;
import org.streammigrator.copy.MeteredStore;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Shows the progress it is told, by a thread of its own, so that the work never waits for a
 * terminal. While it is open it shows something only between the beginning and the end of a phase,
 * and leaves the line clean: at the end, when it is closed, and when the process is interrupted.
 */
public final class ProgressDisplay implements CopyProgress, AutoCloseable {
  private static final long TICK_MILLIS = 200;

  private final ProgressMeter meter = new ProgressMeter(System::nanoTime);
  private final ProgressForm form;
  private Thread ticker;
  private Thread cleaner;
  private boolean closed;

  /** Shows progress in a form; opens it. */
  public ProgressDisplay(ProgressForm form) {
    this.form = requireNonNull(form, "form");
  }

  @Override
  public synchronized void began(Phase phase, long files, long bytes) {
    if (closed) {
      return;
    }
    meter.began(phase, files, bytes);
    if (form != ProgressForm.SILENT && ticker == null) {
      ticker = new Thread(this::tick, "progress");
      ticker.setDaemon(true);
      ticker.start();
      cleaner = new Thread(this::clear, "clear-progress");
      Runtime.getRuntime().addShutdownHook(cleaner);
    }
  }

  @Override
  public void moved(long bytes) {
    meter.moved(bytes);
  }

  @Override
  public void done(long files) {
    meter.done(files);
  }

  @Override
  public void retried() {
    meter.retried();
  }

  @Override
  public synchronized void ended() {
    meter.now().ifPresent(progress -> form.show(progress, true));
    meter.ended();
  }

  /** Begins a phase that is as far as a file, a single one, is read through the store returned. */
  public Store reading(Store store, Phase phase, Location file) throws IOException {
    began(phase, 1, store.stat(file).map(StoreEntry::size).orElse(0L));
    return new MeteredStore(store, this, file::equals);
  }

  @Override
  public void close() {
    synchronized (this) {
      clear();
      if (ticker == null) {
        return;
      }
      ticker.interrupt();
      ticker = null;
    }
    try {
      Runtime.getRuntime().removeShutdownHook(cleaner);
    } catch (IllegalStateException goingDown) {
      // The hook is doing its work.
    }
  }

  private synchronized void clear() {
    closed = true;
    meter.ended();
    form.clear();
  }

  private void tick() {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(TICK_MILLIS);
        synchronized (this) {
          if (Thread.interrupted()) {
            return;
          }
          meter.now().ifPresent(progress -> form.show(progress, false));
        }
      }
    } catch (InterruptedException closed) {
      // Nothing more to show.
    }
  }
}
