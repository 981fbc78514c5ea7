package org.streammigrator.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plan texts that several tests read. */
final class PlanTexts {
  static final String MINIMAL =
      """
      version: 1
      name: minimal
      streams:
        - strategy: relocate
          checkpoint: {from: /a/chk, to: /b/chk}
      """;

  private PlanTexts() {}

  static String everything() {
    try (InputStream stream = PlanTexts.class.getResourceAsStream("/plan/everything.yaml")) {
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  static List<String> valid() {
    return List.of(
        MINIMAL,
        everything(),
        """
        {"version": 1, "name": "json", "streams": [{"strategy": "start-options", "checkpoint": {"from": "/a"}}]}
        """,
        """
        version: 1
        name: named
        run: {parallelism: "${var:n}"}
        streams:
          - strategy: rewind
            batch: ${var:n}
            checkpoint: &places {from: /a, to: /b}
            sources:
              orders: {delta: main.sales.orders, options: {maxFilesPerTrigger: 10}}
              gone: {was: 1, removed: true}
            sink:
              - {files: /out}
              - {custom: jdbc}
            query: {operators: [{kind: dedupe-within, delay: 250ms}]}
            runner: {kind: spark-submit, conf: {spark.executor.cores: 4}}
            changes:
              - kind: state-schema
                operator: 0
                key: {type: struct, fields: []}
                value: "{}"
            rehearse: {command: [python, job.py]}
            checks: {sql: "select 1", window: {column: w, size: 5m}}
        """,
        """
        version: 1
        name: fleet
        streams:
          - foreach: {glob: "/chk/*/*"}
            name: "${name}"
            strategy: relocate
            checkpoint: {from: "${path}", to: "/new/${name}"}
          - name: last
            strategy: relocate
            checkpoint: {from: /l, to: /m}
            after: [anything]
        """);
  }

  static PlanReading read(String text) {
    Map<String, String> environment = Map.of("KEY", "s3cret-value", "ROOT", "/env/root");
    return PlanReader.read(
        text,
        Path.of("/plans"),
        Map.of("n", "3", "root", "/var/root"),
        name -> Optional.ofNullable(environment.get(name)));
  }

  static Plan plan(String text) {
    PlanReading reading = read(text);
    if (!reading.problems().isEmpty()) {
      throw new AssertionError(reading.problems());
    }
    return reading.plan().orElseThrow();
  }
}
