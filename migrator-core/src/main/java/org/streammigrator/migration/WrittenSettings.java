package org.streammigrator.migration;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.plan.BackfillPlan;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.plan.TransformPlan;
import org.streammigrator.plan.WindowPlan;

/**
 * What a plan says, besides the places, that changes what is written: by the name of its key in the
 * plan, a digest of the value. The journal has it, so that a plan that was changed half-way can be
 * told which key that was, and nothing secret is written.
 */
final class WrittenSettings {
  private WrittenSettings() {}

  /** The digests of a stream's settings. */
  static JsonNode of(StreamPlan stream) {
    Map<String, Object> values = new LinkedHashMap<>();
    values.put("identity", stream.identity().orElse(Identity.KEEP));
    values.put("copy", stream.copy());
    values.put("repair", stream.repair());
    values.put(
        "sources",
        stream.sources().stream()
            .map(source -> source.was() + (source.removed() ? " removed" : ""))
            .toList());
    values.put(
        "rewrite",
        stream.rewrite().stream().map(rule -> rule.from() + " -> " + rule.to()).sorted().toList());
    if (stream.strategy() == Strategy.BACKFILL) {
      backfill(stream, values);
    }
    if (stream.strategy() == Strategy.REPLAY) {
      values.put("query", stream.query());
      values.put("replay", stream.replay());
      values.put("eventTime", stream.sources().stream().map(source -> source.eventTime()).toList());
    }
    if (stream.strategy() == Strategy.REWIND) {
      values.put("batch", stream.batch());
    }
    ObjectNode digests = JsonNodeFactory.instance.objectNode();
    values.forEach((key, value) -> digests.put(key, digest(String.valueOf(value))));
    return digests;
  }

  private static void backfill(StreamPlan stream, Map<String, Object> values) {
    BackfillPlan backfill = stream.backfill().orElseThrow();
    values.put("backfill.sql", backfill.sql());
    values.put(
        "backfill.transform",
        backfill.transform().map(TransformPlan::className)
            + " "
            + backfill.transform().flatMap(TransformPlan::jar));
    values.put("backfill.window", backfill.window().map(WindowPlan::toString));
    values.put("backfill.cut", backfill.cut());
    values.put("backfill.windows", backfill.windows());
    values.put("backfill.mode", backfill.mode());
    values.put("backfill.evolve", backfill.evolve());
    values.put(
        "sink",
        stream.sink().stream().map(sink -> sink.address().text() + " " + sink.keys()).toList());
    values.put(
        "source places",
        stream.sources().stream()
            .map(source -> source.name() + " " + source.address().map(address -> address.text()))
            .toList());
    values.put("eventTime", stream.sources().stream().map(source -> source.eventTime()).toList());
    values.put("conf.timeZone", stream.conf().get("timeZone"));
  }

  /** The keys whose values are not those of an earlier apply. */
  static List<String> changed(JsonNode before, StreamPlan stream) {
    List<String> changed = new ArrayList<>();
    of(stream)
        .properties()
        .forEach(
            setting -> {
              JsonNode was = before.path(setting.getKey());
              if (!was.isMissingNode() && !was.equals(setting.getValue())) {
                changed.add(setting.getKey());
              }
            });
    return changed;
  }

  private static String digest(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)),
              0,
              12);
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
