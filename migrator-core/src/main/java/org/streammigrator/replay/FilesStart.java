package org.streammigrator.replay;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.embedded.PathForm;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Where the replay of a file source begins: before the first entry of its own log with a file that
 * was written no earlier than the oldest needed event time less the declared skew.
 */
final class FilesStart {
  /** What makes a path a pattern: {@code SparkHadoopUtil.isGlobPath}. */
  private static final Pattern GLOB = Pattern.compile("[{}\\[\\]*?\\\\]");

  private final Store store;
  private final Checkpoint checkpoint;
  private final PrefixMap moved;
  private final Reasons reasons;
  private long notLookedFor;

  /**
   * @param moved how paths of the old log are to be read now
   */
  FilesStart(Store store, Checkpoint checkpoint, PrefixMap moved, Reasons reasons) {
    this.store = requireNonNull(store, "store");
    this.checkpoint = requireNonNull(checkpoint, "checkpoint");
    this.moved = requireNonNull(moved, "moved");
    this.reasons = requireNonNull(reasons, "reasons");
  }

  /** A file that the source has read. */
  private record Input(String path, long modifiedMs, long entry) {}

  /**
   * @param earliest the oldest needed event time; null for every one
   * @param skew how much earlier than an event in it a file may have been written
   */
  Optional<ReplayStart> of(String id, FilesOffset end, Instant earliest, Duration skew)
      throws IOException {
    FileSourceLog known = checkpoint.sourceDirectory(id).log();
    if (known.newest() < end.logOffset()) {
      reasons.gone(
          "sources/" + id,
          "the source's own log ends at entry "
              + known.newest()
              + " and the query has read entry "
              + end.logOffset()
              + ", so that its files are not known");
      return Optional.empty();
    }
    List<Input> inputs = inputs(id, end.logOffset());
    long time = earliest == null ? Long.MIN_VALUE : earliest.minus(skew).toEpochMilli();
    OptionalLong first =
        inputs.stream().filter(input -> input.modifiedMs() >= time).mapToLong(Input::entry).min();
    long from = first.isPresent() ? first.getAsLong() - 1 : end.logOffset();
    long bytes = 0;
    long files = 0;
    boolean isSized = true;
    for (Input input : inputs) {
      if (input.entry() <= from) {
        continue;
      }
      files++;
      OptionalLong size = look(input);
      isSized &= size.isPresent();
      bytes += size.orElse(0);
    }
    if (files > 1) {
      inputs.stream()
          .filter(input -> input.entry() > from && GLOB.matcher(decoded(input)).find())
          .findFirst()
          .ifPresent(this::readSeveralTimes);
    }
    if (notLookedFor > 0) {
      reasons.add(
          Finding.warning(
              FindingCode.NOT_AVAILABLE,
              "sources/" + id,
              "this version looks for input files on local paths only, and "
                  + notLookedFor
                  + " of the "
                  + files
                  + " that are to be read again are elsewhere",
              "make sure that they are still there and have not changed"));
    }
    FilesOffset start = new FilesOffset(from);
    return Optional.of(
        new ReplayStart(
            id,
            start.json().toString(),
            start.json(),
            files,
            isSized ? bytes : null,
            null,
            null,
            earliest == null
                ? "every event may be needed: from the first file"
                : first.isEmpty()
                    ? "no file that was read was written at "
                        + Instant.ofEpochMilli(time)
                        + " or later"
                    : "from the first file on that was written at "
                        + Instant.ofEpochMilli(time)
                        + " or later, which is the oldest needed event time less a skew of "
                        + DurationText.words(skew)
                        + "; exact if no file was written further than that before an event in it"));
  }

  /** Spark takes such a name for a pattern that each of the batch's files matches anew. */
  private void readSeveralTimes(Input input) {
    reasons.inexact(
        decoded(input),
        "its name holds one of {}[]*?\\, and Spark reads files of such names several times where a"
            + " batch has more than one file, as the replay batch would",
        "use strategy backfill, or relocate if the operators are unchanged");
  }

  private static String decoded(Input input) {
    return PathForm.URI_ENCODED.place(input.path()).map(Location::path).orElse(input.path());
  }

  /** The size of an input file, if it is still what was read. */
  private OptionalLong look(Input input) throws IOException {
    Optional<Location> place =
        moved
            .moved(input.path(), PathForm.URI_ENCODED)
            .or(() -> PathForm.URI_ENCODED.place(input.path()));
    if (place.isEmpty() || !place.get().isLocal()) {
      notLookedFor++;
      return OptionalLong.empty();
    }
    Optional<StoreEntry> there = store.stat(place.get()).filter(StoreEntry::isFile);
    if (there.isEmpty()) {
      reasons.gone(place.get().toString(), "this input file, which is to be read again, is gone");
      return OptionalLong.empty();
    }
    if (there.get().modified().toEpochMilli() != input.modifiedMs()) {
      reasons.add(
          Finding.error(
              FindingCode.FILE_CHANGED_IN_PLACE,
              place.get().toString(),
              "it was written again after the query had read it, at "
                  + there.get().modified()
                  + " instead of "
                  + Instant.ofEpochMilli(input.modifiedMs())
                  + ", and is to be read again",
              "bring back the file as it was; accept it if its records are the same"));
    }
    return OptionalLong.of(there.get().size());
  }

  /** The files of the entries up to one; a compact entry holds those before it, too. */
  private List<Input> inputs(String id, long last) throws IOException {
    List<Input> inputs = new ArrayList<>();
    FileSourceLog log = checkpoint.sourceDirectory(id).log();
    for (String name : log.filesReadAtStart()) {
      Location file = checkpoint.location().child("sources/" + id + "/" + name);
      if (store.stat(file).isEmpty()) {
        reasons.gone(
            "sources/" + id + "/" + name,
            "this entry of the source's own log is gone, so that its files are not known");
        continue;
      }
      long number = Long.parseLong(name.replace(".compact", ""));
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(store.open(file), StandardCharsets.UTF_8))) {
        lines.readLine();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Optional<JsonNode> entry = Json.parseObject(line);
          OptionalLong time =
              entry.isEmpty() ? OptionalLong.empty() : Json.exactLong(entry.get().get("timestamp"));
          long batch =
              entry.map(node -> Json.exactLong(node.get("batchId")).orElse(number)).orElse(number);
          if (entry.isEmpty()) {
            reasons.gone(
                "sources/" + id + "/" + name,
                "this entry of the source's own log is damaged, so that its files are not known");
          }
          if (batch <= last && entry.isPresent()) {
            // Without a time it counts as new: earlier, never later.
            inputs.add(
                new Input(entry.get().path("path").asText(), time.orElse(Long.MAX_VALUE), batch));
          }
        }
      }
    }
    return inputs;
  }
}
