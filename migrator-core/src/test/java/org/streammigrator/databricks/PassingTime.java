package org.streammigrator.databricks;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Time that passes only where somebody waits for it. */
public final class PassingTime extends Clock implements Waits {
  private final List<Duration> pauses = new CopyOnWriteArrayList<>();
  private volatile Consumer<Duration> atPause = duration -> {};
  private volatile Instant now = Instant.parse("2026-03-27T10:00:00Z");

  @Override
  public Instant now() {
    return now;
  }

  @Override
  public void pause(Duration duration) {
    pauses.add(duration);
    atPause.accept(duration);
    now = now.plus(duration);
  }

  /** Does something whenever somebody waits. */
  public void atPause(Consumer<Duration> action) {
    atPause = action;
  }

  /** What was waited for so far. */
  public List<Duration> pauses() {
    return pauses;
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    return this;
  }
}
