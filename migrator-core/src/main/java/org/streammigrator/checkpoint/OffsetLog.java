package org.streammigrator.checkpoint;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.finding.FindingCode;

/**
 * One file of {@code offsets/}: the plan of a batch, written before the batch runs.
 *
 * <p>Version 1 holds one line a source in the order of the query's plan; version 2 (Spark 4.2)
 * holds {@code <id>:<offset>} lines, split at the first colon. {@code -} stands for "no offset
 * yet". Rules from Spark's {@code OffsetSeqLog.scala} and {@code OffsetSeq.scala}.
 *
 * @param text the whole file; {@link #bytes()} gives back exactly what was read
 * @param version 1 or 2
 * @param header line 2; empty where that line is blank, as Spark 2.0 wrote it
 * @param sources the sources' lines
 */
public record OffsetLog(
    String text, int version, Optional<OffsetHeader> header, List<SourceLine> sources) {

  /** The newest version that any Spark writes. */
  public static final int NEWEST_VERSION = 2;

  public OffsetLog {
    requireNonNull(text, "text");
    requireNonNull(header, "header");
    sources = List.copyOf(sources);
  }

  /**
   * A source's line.
   *
   * @param id the position in a version 1 log, the name in a version 2 log
   * @param raw the offset as it stands, {@code -} where the source has none
   */
  public record SourceLine(String id, String raw) {

    /** What Spark writes for a source without an offset. */
    public static final String NONE = "-";

    private static final Pattern ID = Pattern.compile("[A-Za-z0-9_]+");

    /** Whether it begins as JSON does and is none: a line that was cut off or edited. */
    public boolean isBrokenJson() {
      return (raw.startsWith("{") || raw.startsWith("[")) && Json.parse(raw).isEmpty();
    }

    /**
     * Whether a source that wrote another line cannot have written this one: it is no JSON where
     * that one is, or has a text where that one has an integer.
     */
    public boolean breaksFormOf(SourceLine other) {
      Optional<JsonNode> then = Json.parse(other.raw());
      Optional<JsonNode> now = Json.parse(raw);
      return then.isPresent() && (now.isEmpty() || hasTextFor(then.get(), now.get()));
    }

    private static boolean hasTextFor(JsonNode then, JsonNode now) {
      if (then.isIntegralNumber()) {
        return now.isTextual();
      }
      for (Map.Entry<String, JsonNode> field : then.properties()) {
        JsonNode value = now.get(field.getKey());
        if (value != null && hasTextFor(field.getValue(), value)) {
          return true;
        }
      }
      return false;
    }

    /** Whether the id is one that Spark gives: a number, or a name of letters, digits and _. */
    public boolean hasSourceId() {
      return ID.matcher(id).matches();
    }
  }

  /**
   * Reads a file.
   *
   * @throws LogFormatException where Spark could not read it
   */
  public static OffsetLog parse(byte[] bytes) throws LogFormatException {
    LogText log =
        LogText.parse(
            bytes,
            "offset",
            NEWEST_VERSION,
            FindingCode.OFFSETS_EMPTY,
            FindingCode.OFFSETS_CORRUPT);
    List<String> lines = log.lines();
    if (lines.size() < 2) {
      throw new LogFormatException(
          FindingCode.OFFSETS_CORRUPT, "the file ends after its version line; it was cut off");
    }
    Optional<OffsetHeader> header =
        lines.get(1).isBlank() ? Optional.empty() : Optional.of(OffsetHeader.parse(lines.get(1)));
    if (log.version() == 2 && header.isEmpty()) {
      throw new LogFormatException(
          FindingCode.OFFSETS_CORRUPT,
          "line 2 is blank; a version 2 offset log needs its metadata");
    }
    List<SourceLine> sources = new ArrayList<>();
    for (int i = 2; i < lines.size(); i++) {
      sources.add(log.version() == 1 ? positional(i, lines.get(i)) : named(i, lines.get(i)));
    }
    Set<String> ids = new HashSet<>();
    for (SourceLine source : sources) {
      if (!ids.add(source.id())) {
        throw new LogFormatException(
            FindingCode.OFFSETS_CORRUPT,
            "source \"" + source.id() + "\" has two lines, which no Spark writes");
      }
    }
    return new OffsetLog(log.text(), log.version(), header, sources);
  }

  private static SourceLine positional(int line, String text) {
    return new SourceLine(Integer.toString(line - 2), text);
  }

  private static SourceLine named(int line, String text) throws LogFormatException {
    int colon = text.indexOf(':');
    if (colon < 0) {
      throw new LogFormatException(
          FindingCode.OFFSETS_CORRUPT,
          "line " + (line + 1) + " has no colon between source id and offset");
    }
    return new SourceLine(text.substring(0, colon), text.substring(colon + 1));
  }

  /** The file's bytes. */
  public byte[] bytes() {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The same plan with another watermark and other offsets of some sources; whatever else line 2
   * holds stays.
   *
   * @param watermarkMs milliseconds since the epoch
   * @param offsets the offsets that change, as they are to stand, by source id
   * @throws IllegalStateException if line 2 is blank
   */
  public OffsetLog with(long watermarkMs, Map<String, String> offsets) {
    OffsetHeader changed =
        header
            .orElseThrow(() -> new IllegalStateException("line 2 is blank"))
            .withWatermark(watermarkMs);
    List<SourceLine> lines = new ArrayList<>();
    List<String> written = new ArrayList<>(List.of("v" + version, changed.raw()));
    for (SourceLine source : sources) {
      SourceLine line =
          new SourceLine(source.id(), offsets.getOrDefault(source.id(), source.raw()));
      lines.add(line);
      written.add(version == 1 ? line.raw() : line.id() + ":" + line.raw());
    }
    return new OffsetLog(String.join("\n", written), version, Optional.of(changed), lines);
  }

  /** The line of a source; empty if the file has none for it. */
  public Optional<SourceLine> source(String id) {
    return sources.stream().filter(source -> source.id().equals(id)).findFirst();
  }
}
