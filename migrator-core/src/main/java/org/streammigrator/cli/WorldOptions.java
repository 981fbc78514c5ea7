package org.streammigrator.cli;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.DeltaOffset;
import org.streammigrator.checkpoint.source.PartitionedOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.facts.DeltaFacts;
import org.streammigrator.facts.DeltaTables;
import org.streammigrator.facts.Facts;
import org.streammigrator.facts.FileSinks;
import org.streammigrator.facts.IcebergTables;
import org.streammigrator.facts.InputFile;
import org.streammigrator.facts.KafkaBrokers;
import org.streammigrator.facts.KafkaFacts;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.StoreEntry;
import picocli.CommandLine.Option;

/** The options that say where facts about the world outside the checkpoint come from. */
final class WorldOptions {
  private static final Duration BROKER_TIMEOUT = Duration.ofSeconds(20);

  @Option(
      names = "--facts",
      paramLabel = "FILE",
      description =
          "JSON file of facts about brokers, tables and the sink; docs/formats.md has its keys.")
  private String factsFile;

  @Option(
      names = "--delta",
      paramLabel = "ID=TABLE_PATH",
      description = "The Delta table that source ID reads, to be looked at now. Repeatable.")
  private Map<String, String> tables = new LinkedHashMap<>();

  @Option(
      names = "--iceberg",
      paramLabel = "ID=TABLE_PATH",
      description =
          "The Iceberg table that source ID reads, or its current metadata file. Repeatable.")
  private Map<String, String> icebergTables = new LinkedHashMap<>();

  @Option(
      names = "--files",
      paramLabel = "ID=DIRECTORY",
      description = "The input directory of file source ID, to be listed now. Repeatable.")
  private Map<String, String> inputs = new LinkedHashMap<>();

  @Option(
      names = "--kafka",
      paramLabel = "HOST:PORT",
      description = "Bootstrap servers of the Kafka cluster, to be asked now.")
  private String kafka;

  @Option(
      names = "--kafka-config",
      paramLabel = "FILE",
      description = "Properties file for the Kafka client, such as those of SASL and TLS.")
  private String kafkaConfig;

  @Option(
      names = "--sink",
      paramLabel = "PATH",
      description =
          "The Delta table or file sink that the query writes to: its own record says whether a"
              + " pending batch is in it.")
  private String sink;

  /** Where the tables of {@code --delta} are, by source id. */
  Map<String, String> paths(Session session) {
    Map<String, String> paths = new LinkedHashMap<>();
    tables.forEach((id, path) -> paths.put(id, session.location(path).toString()));
    return paths;
  }

  /** The servers of {@code --kafka}. */
  Optional<String> kafka() {
    return Optional.ofNullable(kafka);
  }

  /** Whether any of the options is given. */
  boolean given() {
    return factsFile != null
        || kafka != null
        || kafkaConfig != null
        || sink != null
        || !tables.isEmpty()
        || !icebergTables.isEmpty()
        || !inputs.isEmpty();
  }

  /** Reads what the options name; what is looked at now wins over the file. */
  Facts facts(Session session, Checkpoint checkpoint, Map<String, SourceKind> told)
      throws IOException {
    SourceKinds.requireSources(checkpoint, "--delta", tables.keySet());
    SourceKinds.requireSources(checkpoint, "--iceberg", icebergTables.keySet());
    SourceKinds.requireSources(checkpoint, "--files", inputs.keySet());
    if (kafkaConfig != null && kafka == null) {
      throw new CliFailure(
          ExitCode.USAGE, "--kafka-config is of use only with --kafka HOST:PORT; give that too");
    }
    Facts facts = factsFile == null ? Facts.NONE : session.facts(factsFile);
    ResumePositions positions = new ResumePositions(checkpoint, Facts.NONE, told);
    for (Map.Entry<String, String> table : tables.entrySet()) {
      facts =
          facts.withDelta(
              table.getKey(),
              table(session, checkpoint, positions, table.getKey(), table.getValue()));
    }
    for (Map.Entry<String, String> table : icebergTables.entrySet()) {
      List<Long> snapshots =
          new IcebergTables(session.context().store())
              .snapshots(session.location(table.getValue()));
      facts = facts.toBuilder().icebergSnapshots(table.getKey(), snapshots).build();
    }
    for (Map.Entry<String, String> input : inputs.entrySet()) {
      List<InputFile> files =
          InputFile.list(session.context().store(), session.location(input.getValue()));
      facts = facts.toBuilder().inputFiles(input.getKey(), files).build();
    }
    if (kafka != null) {
      facts =
          facts.toBuilder().kafka(topics(session, checkpoint, positions, facts.kafka())).build();
    }
    return sink == null ? facts : withSink(session, checkpoint, facts);
  }

  private static DeltaFacts table(
      Session session, Checkpoint checkpoint, ResumePositions positions, String id, String path)
      throws IOException {
    DeltaTables deltaTables = new DeltaTables(session.context().store());
    Location table = session.location(path);
    Optional<DeltaOffset> known =
        checkpoint
            .committedOffsets()
            .flatMap(log -> log.source(id))
            .map(line -> positions.decode(id, line.raw()))
            .map(offset -> offset instanceof DeltaOffset delta ? delta : null);
    if (known.isEmpty()) {
      return deltaTables.read(table);
    }
    DeltaOffset offset = known.get();
    DeltaFacts facts = deltaTables.read(table, offset.tableId());
    long filesDone = offset.initialSnapshot() || offset.index() < 0 ? 0 : offset.index() + 1;
    long from = offset.initialSnapshot() ? offset.version() + 1 : offset.version();
    return facts.withBacklog(deltaTables.backlog(table, facts, from, filesDone));
  }

  private Map<String, KafkaFacts> topics(
      Session session,
      Checkpoint checkpoint,
      ResumePositions positions,
      Map<String, KafkaFacts> known)
      throws IOException {
    Set<String> topics = new TreeSet<>();
    checkpoint
        .plannedOffsets()
        .or(checkpoint::committedOffsets)
        .ifPresent(log -> topics.addAll(topics(log, positions)));
    if (topics.isEmpty()) {
      throw new CliFailure(
          ExitCode.USAGE,
          "--kafka "
              + kafka
              + ": the checkpoint has no Kafka source whose topics could be asked for; leave the"
              + " option out");
    }
    Properties properties = kafkaProperties(session);
    Map<String, KafkaFacts> now;
    try {
      now = new KafkaBrokers(kafka, properties, BROKER_TIMEOUT).read(topics);
    } catch (IOException silent) {
      throw new CliFailure(
          ExitCode.UNEXPECTED,
          "the Kafka cluster at "
              + kafka
              + " does not answer: "
              + silent.getMessage()
              + "; check the address and, with --kafka-config, the client's properties",
          silent);
    }
    Map<String, KafkaFacts> merged = new LinkedHashMap<>();
    now.forEach(
        (topic, facts) ->
            merged.put(topic, known.containsKey(topic) ? facts.after(known.get(topic)) : facts));
    return merged;
  }

  private static Set<String> topics(OffsetLog log, ResumePositions positions) {
    Set<String> topics = new TreeSet<>();
    for (OffsetLog.SourceLine line : log.sources()) {
      if (positions.decode(line.id(), line.raw()) instanceof PartitionedOffset offset
          && offset.kind() == SourceKind.KAFKA) {
        topics.addAll(offset.next().keySet());
      }
    }
    return topics;
  }

  private Properties kafkaProperties(Session session) throws IOException {
    Properties properties = new Properties();
    if (kafkaConfig != null) {
      Location file = session.location(kafkaConfig);
      String text = new String(session.context().store().readAll(file), StandardCharsets.UTF_8);
      try {
        properties.load(new StringReader(text));
      } catch (IllegalArgumentException malformed) {
        throw new CliFailure(
            ExitCode.USAGE,
            "--kafka-config " + file + " is no properties file: it has a malformed \\uxxxx escape",
            malformed);
      }
    }
    return properties;
  }

  private Facts withSink(Session session, Checkpoint checkpoint, Facts facts) throws IOException {
    Location place = session.location(sink);
    boolean delta =
        session
            .context()
            .store()
            .stat(place.child("_delta_log"))
            .filter(StoreEntry::isDirectory)
            .isPresent();
    if (!delta) {
      OptionalLong last;
      try {
        last = new FileSinks(session.context().store()).lastBatch(place);
      } catch (NoSuchFileException missing) {
        throw new CliFailure(
            ExitCode.USAGE, "--sink " + place + " does not exist; give the sink's path", missing);
      }
      if (last.isEmpty()) {
        throw new CliFailure(
            ExitCode.USAGE,
            "--sink "
                + place
                + " is neither a Delta table (it has no _delta_log) nor a file sink (it has no"
                + " _spark_metadata); other sinks keep no record of batches");
      }
      return facts.withFileSinkLastBatch(last.getAsLong());
    }
    Optional<String> queryId = checkpoint.queryId();
    if (queryId.isEmpty()) {
      return facts;
    }
    OptionalLong last =
        new DeltaTables(session.context().store()).lastTransaction(place, queryId.get());
    return last.isPresent() ? facts.withSinkTxn(queryId.get(), last.getAsLong()) : facts;
  }
}
