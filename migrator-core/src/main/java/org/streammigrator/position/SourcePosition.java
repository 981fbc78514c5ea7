package org.streammigrator.position;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * Where a new, empty checkpoint would have to start reading one source.
 *
 * @param id the source's position or name in the log
 * @param type its kind
 * @param exactness what starting with {@code options} gives
 * @param options reader options, ready to use; empty where none can say the position
 * @param consumedThrough what was read last, in words
 * @param position the recorded position
 * @param explanation why the options are what they are
 * @param findings what the user should know
 */
@JsonPropertyOrder({
  "id",
  "type",
  "exactness",
  "options",
  "consumedThrough",
  "position",
  "explanation",
  "findings"
})
public record SourcePosition(
    String id,
    SourceKind type,
    Exactness exactness,
    Map<String, String> options,
    String consumedThrough,
    JsonNode position,
    String explanation,
    List<Finding> findings) {

  public SourcePosition {
    requireNonNull(id, "id");
    requireNonNull(type, "type");
    requireNonNull(exactness, "exactness");
    requireNonNull(position, "position");
    options = Collections.unmodifiableMap(new LinkedHashMap<>(options));
    findings = List.copyOf(findings);
  }

  /**
   * Whether a stream can be started with the options: the source has an answer without an error. A
   * source that has delivered nothing has one: it starts as it was started first.
   */
  public boolean usable() {
    return (exactness == Exactness.EXACT
            || exactness == Exactness.OVERLAP
            || type == SourceKind.NONE)
        && !Finding.anyError(findings);
  }
}
