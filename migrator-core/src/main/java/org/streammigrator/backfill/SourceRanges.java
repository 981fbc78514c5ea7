package org.streammigrator.backfill;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.job.DeltaPosition;
import org.streammigrator.job.SourceSpec;
import org.streammigrator.plan.Address;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.SourceKind;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.storage.Location;

/** What a batch job reads to see all that a query has read up to a recorded position. */
public final class SourceRanges {
  private final List<Finding> findings;

  /**
   * @param findings gets what speaks against it
   */
  public SourceRanges(List<Finding> findings) {
    this.findings = requireNonNull(findings, "findings");
  }

  /** The name by which SQL calls a source: its name, else the last part of its place. */
  public static Optional<String> viewName(SourcePlan source) {
    return source
        .name()
        .or(source::topic)
        .or(
            () ->
                source
                    .address()
                    .map(address -> address.location().map(Location::name).orElse(address.text()))
                    .filter(name -> !name.isEmpty()));
  }

  /**
   * The range of a source.
   *
   * @param index its place in the plan
   * @param position the recorded position
   * @param log where a file source has its own log
   * @param from events before it are not needed; null: all are
   * @param begin Kafka: where an earlier run of the job began to read; empty: at the earliest
   * @return empty if it cannot be read, with a finding
   */
  public Optional<SourceSpec> of(
      int index,
      SourcePlan source,
      SourceOffset position,
      Location log,
      Instant from,
      Optional<JsonNode> begin) {
    String subject = "sources[" + index + "]";
    if (source.address().isEmpty() || source.eventTime().isEmpty()) {
      incomplete(
          subject,
          source.address().isEmpty()
              ? "the plan does not say where this source is, and the job reads it"
              : "the plan does not say which column is the event time of this source",
          source.address().isEmpty()
              ? "name it, such as delta: /lake/raw/orders"
              : "add eventTime: a column, or an expression in SQL that gives a timestamp");
      return Optional.empty();
    }
    SourceSpec.EventTime time = new SourceSpec.EventTime(source.eventTime().get(), from);
    String name = viewName(source).orElse("source" + index);
    SourceKind kind = source.address().get().kind();
    if (kind == SourceKind.DELTA && position instanceof DeltaOffset delta) {
      return Optional.of(delta(name, source, delta, time));
    }
    if (kind == SourceKind.KAFKA && position instanceof PartitionedOffset kafka) {
      return kafka(subject, source, kafka, time, begin);
    }
    if (kind == SourceKind.FILES && position instanceof FilesOffset files) {
      return files(subject, name, source, files, log, time);
    }
    findings.add(
        Finding.error(
            FindingCode.NOT_AVAILABLE,
            subject,
            "a backfill reads Delta tables, Kafka topics and file sources; it cannot read "
                + kind.label()
                + " up to this position in this version",
            "use strategy relocate or seed, or rebuild the windows by a job of your own"));
    return Optional.empty();
  }

  private static SourceSpec delta(
      String name, SourcePlan source, DeltaOffset position, SourceSpec.EventTime time) {
    JsonNode to =
        SourceSpec.json(
            new DeltaPosition(
                position.version(),
                position.atVersionBoundary() ? -1 : position.index(),
                position.initialSnapshot() ? Boolean.TRUE : null,
                position.tableId()));
    return SourceSpec.delta(name, path(source.address().orElseThrow())).to(to).eventTime(time);
  }

  private Optional<SourceSpec> kafka(
      String subject,
      SourcePlan source,
      PartitionedOffset position,
      SourceSpec.EventTime time,
      Optional<JsonNode> begin) {
    Optional<String> topic =
        source
            .topic()
            .or(
                () ->
                    position.next().size() == 1
                        ? Optional.of(position.next().firstKey())
                        : Optional.empty());
    if (topic.isEmpty()
        || position.next().size() != 1
        || !position.next().containsKey(topic.get())) {
      findings.add(
          Finding.error(
              FindingCode.NOT_AVAILABLE,
              subject,
              "a backfill reads one topic a source; this one has "
                  + String.join(", ", position.next().keySet()),
              "check `topic`; for several topics rebuild the windows by a job of your own"));
      return Optional.empty();
    }
    Optional<Map<String, String>> options = options(subject, source);
    return options.map(
        settings ->
            SourceSpec.kafka(
                    source.name().orElse(topic.get()),
                    source.address().orElseThrow().text(),
                    topic.get())
                .options(settings)
                .from(begin.orElse(null))
                .to(position.json().path(topic.get()))
                .eventTime(time));
  }

  private Optional<SourceSpec> files(
      String subject,
      String name,
      SourcePlan source,
      FilesOffset position,
      Location log,
      SourceSpec.EventTime time) {
    Optional<Map<String, String>> all = options(subject, source);
    if (all.isEmpty()) {
      return Optional.empty();
    }
    Map<String, String> options = new TreeMap<>(all.get());
    String format = options.remove("format");
    String schema = options.remove("schema");
    if (format == null) {
      incomplete(
          subject,
          "the plan does not say in which format the files of this source are",
          "add options: {format: json, schema: \"...\"}");
      return Optional.empty();
    }
    return Optional.of(
        SourceSpec.files(name, path(source.address().orElseThrow()), format)
            .schema(schema)
            .log(path(log))
            .options(options)
            .to(position.json())
            .eventTime(time));
  }

  /** The options as they may be written; empty if a literal secret is among them. */
  private Optional<Map<String, String>> options(String subject, SourcePlan source) {
    Map<String, String> options = new TreeMap<>();
    for (Map.Entry<String, SecretText> option : source.options().entrySet()) {
      String shown = option.getValue().toString();
      if (!shown.equals(option.getValue().value()) && !shown.contains("${env:")) {
        incomplete(
            subject,
            "the option "
                + option.getKey()
                + " holds a secret, which would be written into the job's spec",
            "write ${env:NAME} instead; it is looked up where the job runs");
        return Optional.empty();
      }
      options.put(option.getKey(), shown);
    }
    return Optional.of(options);
  }

  /** An address as the engine reads it. */
  static String path(Address<?> address) {
    return address.location().map(SourceRanges::path).orElse(address.text());
  }

  /** A place as the engine reads it. */
  static String path(Location place) {
    return place.isLocal() ? place.localPath().toString() : place.toString();
  }

  private void incomplete(String subject, String message, String remedy) {
    findings.add(Finding.error(FindingCode.PLAN_INCOMPLETE, subject, message, remedy));
  }
}
