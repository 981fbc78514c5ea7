package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.embedded.PathForm;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.checkpoint.source.FilesOffset;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.checkpoint.source.SourceOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.position.ResumePositions;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Whether what a query read after a batch can be read once more, where that is not asked of the
 * source itself: of file sources each input file is looked for, up to a number; Auto Loader cannot
 * be set back.
 */
final class RewoundInput {
  private static final int MOST_LOOKED_AT = 10_000;

  private final Store store;
  private final Checkpoint whole;
  private final ResumePositions positions;
  private final PrefixMap moved;

  /**
   * Prepares the look.
   *
   * @param whole the checkpoint as it is
   * @param positions decodes its lines
   * @param moved where input files have moved
   */
  RewoundInput(Store store, Checkpoint whole, ResumePositions positions, PrefixMap moved) {
    this.store = requireNonNull(store, "store");
    this.whole = requireNonNull(whole, "whole");
    this.positions = requireNonNull(positions, "positions");
    this.moved = requireNonNull(moved, "moved");
  }

  /** What speaks against reading again what came after a batch's plan. */
  List<Finding> findings(OffsetLog plan) throws IOException {
    List<Finding> findings = new ArrayList<>();
    for (OffsetLog.SourceLine line : plan.sources()) {
      SourceOffset offset = positions.decode(line.id(), line.raw());
      if (offset instanceof FilesOffset files) {
        files(line.id(), files.logOffset(), findings);
      } else if (offset.kind() == SourceKind.AUTOLOADER) {
        findings.add(
            Finding.error(
                FindingCode.AUTOLOADER_NOT_PORTABLE,
                "source " + line.id(),
                "which files Auto Loader has read stands in a RocksDB of its own in the checkpoint,"
                    + " which knows nothing of batches: it cannot be set back to one",
                "restore an archive of the checkpoint of that time, or read the files again by an"
                    + " explicit list"));
      } else if (offset.kind() == SourceKind.UNKNOWN) {
        findings.add(
            Finding.warning(
                FindingCode.SOURCE_UNKNOWN,
                "source " + line.id(),
                "what kind of source wrote this offset is not known, nor whether it gives again what"
                    + " it gave after this batch (a socket or memory source does not), nor whether"
                    + " its files in the checkpoint speak of later batches",
                "make sure that it reads from an offset of its own choice; what it keeps for itself"
                    + " is carried along as it is"));
      }
    }
    return findings;
  }

  private void files(String source, long last, List<Finding> findings) throws IOException {
    FileSourceLog log = whole.sourceDirectory(source).log();
    long lookedAt = 0;
    long named = 0;
    List<String> gone = new ArrayList<>();
    List<String> changed = new ArrayList<>();
    for (String name : later(log, last)) {
      Location entry = whole.location().child("sources/" + source + "/" + name);
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(store.open(entry), StandardCharsets.UTF_8))) {
        lines.readLine();
        for (String text = lines.readLine(); text != null; text = lines.readLine()) {
          Optional<JsonNode> file = Json.parseObject(text);
          OptionalLong number =
              file.isEmpty() ? OptionalLong.empty() : Json.exactLong(file.get().get("batchId"));
          if (number.isEmpty() || number.getAsLong() <= last) {
            continue;
          }
          named++;
          Optional<Location> place = place(file.get().path("path").asText());
          if (place.isEmpty() || !place.get().isLocal() || lookedAt >= MOST_LOOKED_AT) {
            continue;
          }
          lookedAt++;
          Optional<StoreEntry> there = store.stat(place.get());
          OptionalLong then = Json.exactLong(file.get().get("timestamp"));
          if (there.isEmpty()) {
            gone.add(place.get().toString());
          } else if (then.isPresent()
              && there.get().modified().toEpochMilli() / 1000 != then.getAsLong() / 1000) {
            changed.add(place.get().toString());
          }
        }
      }
    }
    report(source, named, lookedAt, gone, changed, findings);
  }

  private static void report(
      String source,
      long named,
      long lookedAt,
      List<String> gone,
      List<String> changed,
      List<Finding> findings) {
    String subject = "sources/" + source;
    if (!gone.isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.SOURCE_NOT_FOUND,
              subject,
              "of the "
                  + named
                  + " files that were read after this batch, "
                  + gone.size()
                  + (gone.size() == 1 ? " is" : " are")
                  + " not there any more, the first is "
                  + gone.get(0)
                  + ": what they held cannot be read again",
              "put the files back (cleanSource may have archived them), or say with `rewrite` where"
                  + " they are now"));
    }
    if (!changed.isEmpty()) {
      findings.add(
          Finding.warning(
              FindingCode.FILE_CHANGED_IN_PLACE,
              subject,
              changed.size()
                  + (changed.size() == 1 ? " file was" : " files were")
                  + " written again since they were read, the first is "
                  + changed.get(0)
                  + ": they are read as they are now",
              "make sure that they hold what they held"));
    }
    if (lookedAt < named) {
      findings.add(
          Finding.info(
              FindingCode.NOT_AVAILABLE,
              subject,
              "of the "
                  + named
                  + " files that were read after this batch "
                  + lookedAt
                  + " were looked for; this version looks on local disks, and for "
                  + MOST_LOOKED_AT
                  + " at most",
              "check yourself that the others are still there"));
    }
  }

  /** The files of a log that hold its entries above a number, each entry once. */
  private static List<String> later(FileSourceLog log, long last) {
    List<String> names = new ArrayList<>();
    long compacted = log.compact().isEmpty() ? -1 : Math.max(log.compact().last(), -1);
    if (compacted > last) {
      names.add(compacted + ".compact");
    }
    for (long plain : log.plain().tailSet(Math.max(last, compacted), false)) {
      names.add(Long.toString(plain));
    }
    return names;
  }

  private Optional<Location> place(String path) {
    return moved.rules().isEmpty()
        ? PathForm.URI_ENCODED.place(path)
        : moved.moved(path, PathForm.URI_ENCODED).or(() -> PathForm.URI_ENCODED.place(path));
  }
}
