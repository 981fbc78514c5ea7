package org.streammigrator.migration;

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
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.checkpoint.FileSourceLog;
import org.streammigrator.checkpoint.SourceDirectory;
import org.streammigrator.checkpoint.embedded.PathForm;
import org.streammigrator.checkpoint.embedded.PrefixMap;
import org.streammigrator.checkpoint.json.Json;
import org.streammigrator.checkpoint.source.SourceKind;
import org.streammigrator.finding.DurationText;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.SecretText;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Looks whether the input of file sources is where the new checkpoint will know it. Rules from
 * Spark's {@code FileStreamSource.SeenFilesMap}: a file is known by its full path, and forgotten
 * when the time recorded for it is more than {@code maxFileAge} before the newest; a file that is
 * not known is new if its own time is not before that limit.
 */
final class InputSurvey {
  private static final Duration MAX_FILE_AGE = Duration.ofDays(7);
  private static final int MOST_LOOKED_AT = 1000;

  private final Store store;

  InputSurvey(Store store) {
    this.store = requireNonNull(store, "store");
  }

  /** What speaks of a stream's file sources. */
  List<Finding> findings(StreamPlan stream, Checkpoint checkpoint) throws IOException {
    List<Finding> findings = new ArrayList<>();
    PrefixMap moved = Moves.data(stream);
    for (SourceDirectory directory : checkpoint.sourceDirectories().values()) {
      FileSourceLog.Seen seen = directory.log().seen();
      if (!directory.hint().equals(Optional.of(SourceKind.FILES)) || seen.files() == 0) {
        continue;
      }
      Optional<SourcePlan> plan = plan(stream, checkpoint, directory.source());
      if (plan.filter(SourcePlan::removed).isPresent()) {
        continue;
      }
      Optional<Location> before = PathForm.URI_ENCODED.place(seen.prefix());
      Optional<Location> known = before.map(place -> moved.moved(place).orElse(place));
      elsewhere(plan, known, directory.source(), seen).ifPresent(findings::add);
      if (moved.rules().isEmpty()) {
        gone(before, directory.source(), seen)
            .filter(f -> findings.isEmpty())
            .ifPresent(findings::add);
      } else {
        renewed(checkpoint, directory, moved, maxFileAge(plan)).ifPresent(findings::add);
      }
    }
    return findings;
  }

  private static Optional<SourcePlan> plan(
      StreamPlan stream, Checkpoint checkpoint, String source) {
    for (int i = 0; i < stream.sources().size(); i++) {
      SourcePlan plan = stream.sources().get(i);
      if (!plan.isNew() && DeclaredSources.id(stream, i, checkpoint).equals(source)) {
        return Optional.of(plan);
      }
    }
    return Optional.empty();
  }

  /** The plan names an input directory, and the log will name files of another one. */
  private static Optional<Finding> elsewhere(
      Optional<SourcePlan> plan, Optional<Location> known, String source, FileSourceLog.Seen seen) {
    Optional<Location> declared =
        plan.flatMap(SourcePlan::address)
            .filter(address -> address.kind() == org.streammigrator.plan.SourceKind.FILES)
            .filter(address -> !address.text().matches(".*[*?{\\[].*"))
            .flatMap(address -> address.location());
    if (declared.isEmpty() || known.isEmpty() || overlap(declared.get(), known.get())) {
      return Optional.empty();
    }
    return Optional.of(
        reingested(
            source,
            "the plan says that this source reads "
                + declared.get()
                + ", and its log will name the "
                + seen.files()
                + " files that it has read below "
                + known.get()
                + ": Spark stops with \"Wrong basePath\", or reads them again",
            "say with `rewrite` where the input was and where it is now"));
  }

  private static boolean overlap(Location one, Location other) {
    return one.equals(other) || one.isInside(other) || other.isInside(one);
  }

  /** The directory of the files is not there any more. */
  private Optional<Finding> gone(Optional<Location> before, String source, FileSourceLog.Seen seen)
      throws IOException {
    boolean there =
        before.isEmpty() || !before.get().isLocal() || store.stat(before.get()).isPresent();
    return there
        ? Optional.empty()
        : Optional.of(
            reingested(
                source,
                "the directory of the "
                    + seen.files()
                    + " files that this source has read, "
                    + before.get()
                    + ", is not there: if they have moved, Spark stops with \"Wrong basePath\", or"
                    + " reads them again",
                "say with `rewrite` where the input is now; nothing is to be done if it was"
                    + " removed"));
  }

  /** Files that are forgotten by their age, and whose copies look young. */
  private Optional<Finding> renewed(
      Checkpoint checkpoint, SourceDirectory directory, PrefixMap moved, Duration maxFileAge)
      throws IOException {
    FileSourceLog.Seen seen = directory.log().seen();
    if (seen.newestMs().isEmpty()) {
      return Optional.empty();
    }
    long limit = seen.newestMs().getAsLong() - maxFileAge.toMillis();
    long forgotten = 0;
    int lookedAt = 0;
    int young = 0;
    for (String name : directory.log().filesReadAtStart()) {
      Location file = checkpoint.location().child("sources/" + directory.source() + "/" + name);
      if (store.stat(file).isEmpty()) {
        continue;
      }
      try (BufferedReader lines =
          new BufferedReader(new InputStreamReader(store.open(file), StandardCharsets.UTF_8))) {
        lines.readLine();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
          Optional<JsonNode> entry = Json.parseObject(line);
          OptionalLong time =
              entry.isEmpty() ? OptionalLong.empty() : Json.exactLong(entry.get().get("timestamp"));
          if (time.isEmpty() || time.getAsLong() >= limit) {
            continue;
          }
          Optional<Location> now =
              moved.moved(entry.get().path("path").asText(), PathForm.URI_ENCODED);
          if (now.isEmpty()) {
            continue;
          }
          forgotten++;
          if (now.get().isLocal() && lookedAt < MOST_LOOKED_AT) {
            lookedAt++;
            Optional<StoreEntry> there = store.stat(now.get());
            if (there.isPresent() && there.get().modified().toEpochMilli() >= limit) {
              young++;
            }
          } else if (!now.get().isLocal()) {
            young++;
          }
        }
      }
    }
    if (young == 0) {
      return Optional.empty();
    }
    return Optional.of(
        reingested(
            directory.source(),
            forgotten
                + " of the "
                + seen.files()
                + " files that this source has read are older than maxFileAge allows (before "
                + Instant.ofEpochMilli(limit)
                + "), so that Spark forgets them and goes by the time of the file alone; of "
                + (lookedAt == 0
                    ? "those nothing is known at"
                    : lookedAt + " that were looked for at")
                + " the new place "
                + young
                + (lookedAt == 0 ? " may be" : " are")
                + " younger than that, as a copy is that does not keep the time",
            "copy the files with their times of modification (cp -p, rclone, distcp -pt); where that"
                + " cannot be, start the query with a maxFileAge that reaches back to the oldest"
                + " file"));
  }

  private static Duration maxFileAge(Optional<SourcePlan> plan) {
    return plan.map(SourcePlan::options).orElse(Map.of()).entrySet().stream()
        .filter(option -> option.getKey().equalsIgnoreCase("maxFileAge"))
        .map(option -> option.getValue())
        .map(SecretText::value)
        .flatMap(text -> DurationText.parse(text).stream())
        .findFirst()
        .orElse(MAX_FILE_AGE);
  }

  private static Finding reingested(String source, String message, String remedy) {
    return Finding.warning(
        FindingCode.FILES_WOULD_BE_REINGESTED, "sources/" + source, message, remedy);
  }
}
