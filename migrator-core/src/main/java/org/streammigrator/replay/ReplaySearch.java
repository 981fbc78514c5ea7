package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetHeader;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.NoOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;

/** Finds from where a query has to read again to rebuild its open state; only reads. */
public final class ReplaySearch {
  private final Store store;
  private final StreamPlan stream;
  private final Checkpoint checkpoint;
  private final Supplier<OpenSessions> sessions;
  private final Reasons reasons;

  /**
   * @param sessions where the old query's open sessions begin; asked only if it matters
   * @param findings gets what speaks against the replay
   */
  public ReplaySearch(
      Store store,
      StreamPlan stream,
      Checkpoint checkpoint,
      Supplier<OpenSessions> sessions,
      List<Finding> findings) {
    this.store = requireNonNull(store, "store");
    this.stream = requireNonNull(stream, "stream");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.sessions = requireNonNull(sessions, "sessions");
    this.reasons = new Reasons(findings);
  }

  /**
   * The range.
   *
   * @param position the plan of the last batch whose output is in the sink
   * @param offsets its offsets by source id, decoded
   * @param sources the plan's sources by their ids in the old log; those that are gone are left out
   * @param moved how paths that a file source has recorded are to be read now
   * @return empty if a finding says why there is none
   * @throws IOException if storage fails
   */
  public Optional<ReplayRange> find(
      OffsetLog position,
      Map<String, SourceOffset> offsets,
      Map<String, SourcePlan> sources,
      PrefixMap moved)
      throws IOException {
    declared();
    new OldOperators(store, stream, checkpoint, reasons).compare();
    long watermark = position.header().map(OffsetHeader::batchWatermarkMs).orElse(0L);
    Optional<ReplayTimes> times =
        new ReplayRules(stream, stream.query().operators(), sessions, reasons.findings())
            .at(watermark);
    if (times.isEmpty()) {
      return Optional.empty();
    }
    Instant earliest = earliest(times.get());
    List<ReplayStart> starts = new ArrayList<>();
    int wanted = 0;
    for (OffsetLog.SourceLine line : position.sources()) {
      SourcePlan source = sources.get(line.id());
      if (line.raw().equals(NoOffset.TEXT) || source != null && source.removed()) {
        continue;
      }
      wanted++;
      if (source == null || source.address().isEmpty()) {
        reasons.incomplete(
            "sources",
            "the plan does not say where source "
                + line.id()
                + " of the old query is, and the replay"
                + " has to look into it",
            "list the sources in the order of the query, such as sources: [{delta: /lake/orders,"
                + " eventTime: event_time}]");
        continue;
      }
      start(line.id(), source, offsets.get(line.id()), earliest, moved).ifPresent(starts::add);
    }
    limit("mostRecords", "records", stream.replay().mostRecords(), starts, ReplayStart::records);
    limit("mostBytes", "bytes", stream.replay().mostBytes(), starts, ReplayStart::bytes);
    // A source without a beginning would not be read again at all.
    return starts.size() < wanted
        ? Optional.empty()
        : Optional.of(new ReplayRange(times.get(), starts));
  }

  /** Says when more would be read again than the plan allows, or nobody knows how much. */
  private void limit(
      String key,
      String unit,
      Optional<Long> most,
      List<ReplayStart> starts,
      Function<ReplayStart, Long> number) {
    if (most.isEmpty()) {
      return;
    }
    List<Long> numbers = starts.stream().map(number).filter(Objects::nonNull).toList();
    long sum = numbers.stream().mapToLong(Long::longValue).sum();
    boolean isKnown = numbers.size() == starts.size();
    if (sum > most.get() || !isKnown) {
      reasons.add(
          Finding.error(
              FindingCode.REPLAY_TOO_LARGE,
              "replay." + key,
              (isKnown ? "" : "at least ")
                  + sum
                  + " "
                  + unit
                  + " would be read again, and the plan allows "
                  + most.get(),
              "raise it; or look in the explanations of the sources what pulls the beginning back"));
    }
  }

  /** What the plan says of the query that forbids a replay whatever the sources hold. */
  private void declared() {
    if (stream.query().processingTime().orElse(false)) {
      reasons.inexact(
          "query.processingTime",
          "the query groups or filters by the time at which it runs, and all that is replayed runs at"
              + " one time",
          "compute by event time; or relocate, if its operators are unchanged");
    }
    if (!stream.query().deterministic().orElse(true)) {
      reasons.inexact(
          "query.deterministic",
          "the query does not give the same rows for the same input, so that other state would be"
              + " built",
          "take the clock and chance out of it; or relocate, if its operators are unchanged");
    }
    if (stream.replay().scratch().isPresent()) {
      reasons.unavailable(
          "replay.scratch",
          "a scratch sink that this program writes is not available in this version",
          "remove `replay.scratch`; with sink: scratch the plan says how to run the batch yourself");
    }
    if (stream.replay().slices() > 1) {
      reasons.unavailable(
          "replay.slices",
          "replaying in several batches is not available in this version",
          "remove `replay.slices`; plan shows how much the one batch reads");
    }
  }

  private boolean isAbsurd(Duration skew) {
    return skew.compareTo(Duration.ofDays(365_250)) > 0;
  }

  private Instant earliest(ReplayTimes times) {
    Optional<Instant> given = stream.replay().from();
    if (given.isEmpty()) {
      return times.earliest();
    }
    if (given.get().isBefore(Instant.parse("0001-01-01T00:00:00Z"))
        || given.get().isAfter(Instant.parse("9999-12-31T23:59:59.999Z"))) {
      reasons.incomplete(
          "replay.from", given.get() + " is in no year from 1 to 9999", "correct it");
      return times.earliest();
    }
    if (times.earliest() == null || given.get().isAfter(times.earliest())) {
      reasons.inexact(
          "replay.from",
          given.get()
              + " is later than the oldest event that open state may depend on ("
              + (times.earliest() == null ? "any" : times.earliest().toString())
              + ")",
          "leave it out, or give an earlier one");
    }
    return given.get();
  }

  private Optional<ReplayStart> start(
      String id, SourcePlan source, SourceOffset end, Instant earliest, PrefixMap moved)
      throws IOException {
    String address = source.address().orElseThrow().text();
    if (end instanceof DeltaOffset delta && delta.kind() == SourceKind.DELTA) {
      Optional<Location> table = source.address().get().location();
      if (table.isEmpty()) {
        reasons.unavailable(
            "sources",
            address + " is a name, and the replay looks into the table's log",
            "name the table by its path");
        return Optional.empty();
      }
      try {
        return new DeltaStart(store, checkpoint, reasons)
            .of(id, source, table.get(), delta, earliest);
      } catch (IOException unreadable) {
        boolean isTable = store.stat(table.get().child("_delta_log")).isPresent();
        reasons.add(
            Finding.error(
                isTable ? FindingCode.UNREADABLE : FindingCode.SOURCE_NOT_FOUND,
                table.get().toString(),
                isTable
                    ? "what it was given since then cannot be read: " + unreadable.getMessage()
                    : "there is no Delta table at this place",
                isTable ? "give this user access, or repair it" : "check `sources`"));
        return Optional.empty();
      }
    }
    Optional<Duration> skew = stream.replay().skew();
    boolean isByRecordTime =
        end instanceof PartitionedOffset kafka && kafka.kind() == SourceKind.KAFKA
            || end instanceof FilesOffset;
    if (isByRecordTime && earliest != null && skew.filter(this::isAbsurd).isPresent()) {
      reasons.incomplete("replay.skew", "it is longer than a thousand years", "correct it");
      return Optional.empty();
    }
    if (isByRecordTime && skew.isEmpty() && earliest != null) {
      reasons.incomplete(
          "replay.skew",
          address
              + " is searched by the time of its records or files, and the plan does not say how much"
              + " earlier than its event time that may be",
          "add replay: {skew: 15m}, with what is sure to cover it; 0s where no event is dated ahead");
      return Optional.empty();
    }
    if (end instanceof PartitionedOffset kafka && kafka.kind() == SourceKind.KAFKA) {
      return new KafkaStart(checkpoint, reasons)
          .of(id, source, address, kafka, earliest, skew.orElse(Duration.ZERO));
    }
    if (end instanceof FilesOffset files) {
      return new FilesStart(store, checkpoint, moved, reasons)
          .of(id, files, earliest, skew.orElse(Duration.ZERO));
    }
    reasons.unavailable(
        "sources",
        "finding event times in a source of kind "
            + end.kind().label()
            + " is not available in this version",
        "relocate the query if its operators are unchanged");
    return Optional.empty();
  }
}
