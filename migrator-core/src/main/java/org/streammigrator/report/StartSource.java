package org.streammigrator.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.streammigrator.position.SourcePosition;

/**
 * One source that can be started.
 *
 * @param name what its function is called after
 * @param format the name for {@code format(...)}
 * @param options its options, those that say where it is left out
 * @param location the option or, for {@code load(...)}, the empty text that says where it is
 * @param parameter the name of the function's parameter for it
 * @param known where it is, if known
 */
record StartSource(
    String name,
    String format,
    Map<String, String> options,
    String location,
    String parameter,
    Optional<String> known) {

  boolean loadsPath() {
    return location.isEmpty();
  }

  /**
   * The source to start at a position; empty if no option can say it, or nobody knows the format.
   *
   * @param paths where the tables are, by source id, as far as known
   * @param bootstrapServers the Kafka cluster, if known
   */
  static Optional<StartSource> of(
      SourcePosition source, Map<String, String> paths, Optional<String> bootstrapServers) {
    if (!source.usable()) {
      return Optional.empty();
    }
    return switch (source.type()) {
      case DELTA -> Optional.of(table(source, paths, "delta"));
      case DELTA_SHARING -> Optional.of(table(source, paths, "deltaSharing"));
      case HUDI -> Optional.of(table(source, paths, "hudi"));
      case PAIMON -> Optional.of(table(source, paths, "paimon"));
      case KAFKA ->
          Optional.of(
              service(
                  source,
                  "kafka",
                  "subscribe",
                  "kafka.bootstrap.servers",
                  "bootstrap_servers",
                  bootstrapServers));
      case PULSAR ->
          Optional.of(
              service(source, "pulsar", "topics", "service.url", "service_url", Optional.empty()));
      case MONGODB ->
          Optional.of(
              service(source, "mongodb", "", "connection.uri", "connection_uri", Optional.empty()));
      case EVENTHUBS ->
          Optional.of(
              service(
                  source,
                  "eventhubs",
                  "",
                  "eventhubs.connectionString",
                  "connection_string",
                  Optional.empty()));
      default -> Optional.empty();
    };
  }

  /**
   * A source that is reached over the network.
   *
   * @param topics the option that names its topics; empty if there is none
   * @param location the option that says where it is
   * @param parameter the name of the function's parameter for it
   */
  private static StartSource service(
      SourcePosition source,
      String format,
      String topics,
      String location,
      String parameter,
      Optional<String> known) {
    Map<String, String> options = new LinkedHashMap<>();
    if (!topics.isEmpty()) {
      options.put(topics, topics(source));
    }
    options.putAll(source.options());
    return new StartSource(name(source), format, options, location, parameter, known);
  }

  private static StartSource table(
      SourcePosition source, Map<String, String> paths, String format) {
    return new StartSource(
        name(source),
        format,
        source.options(),
        "",
        "path",
        Optional.ofNullable(paths.get(source.id())));
  }

  /** The topics to subscribe to: those that starting offsets are given for. */
  private static String topics(SourcePosition source) {
    List<String> topics = new ArrayList<>();
    source.position().fieldNames().forEachRemaining(topics::add);
    return topics.stream().sorted().collect(Collectors.joining(","));
  }

  private static String name(SourcePosition source) {
    String id = source.id().replaceAll("[^A-Za-z0-9_]", "_");
    return id.matches("[0-9]+") ? "source_" + id : id;
  }
}
