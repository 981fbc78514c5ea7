package org.streammigrator.checkpoint.source;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/**
 * A Hudi table ({@code HoodieSourceOffset.scala}): the last consumed instant. Up to table version 6
 * that is the time at which a commit began, from 8 on the time at which it completed.
 *
 * @param json the offset as it stands
 * @param instant the instant as it is spelled, {@code yyyyMMddHHmmss} with or without milliseconds
 * @param plain whether the offset says nothing else
 */
public record HudiOffset(JsonNode json, String instant, boolean plain) implements SourceOffset {

  public HudiOffset {
    requireNonNull(json, "json");
    requireNonNull(instant, "instant");
  }

  /** Reads {@code offsetCommitTime}, or the {@code commitTime} of older releases. */
  static Optional<HudiOffset> decode(JsonNode node) {
    JsonNode instant = node.path(node.has("offsetCommitTime") ? "offsetCommitTime" : "commitTime");
    return instant.isTextual() && instant.asText().matches("[0-9]+")
        ? Optional.of(new HudiOffset(node, instant.asText(), node.size() == 1))
        : Optional.empty();
  }

  @Override
  public SourceKind kind() {
    return SourceKind.HUDI;
  }

  /** Whether this is the start of the timeline ({@code HoodieTimeline.INIT_INSTANT_TS}). */
  public boolean beforeFirstInstant() {
    return instant.matches("0+");
  }
}
