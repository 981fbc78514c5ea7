package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.copy.HashingInputStream;
import org.streammigrator.copy.InvalidManifestException;
import org.streammigrator.copy.Manifest;
import org.streammigrator.copy.ManifestFile;
import org.streammigrator.copy.Manifests;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Identity;
import org.streammigrator.plan.SourcePlan;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/**
 * Whether the checkpoint at a stream's target is the one that this plan wrote. The journal says
 * what was staged; the world says whether it has its final name.
 */
final class Published {
  private final Store store;
  private final Journal journal;

  Published(Store store, Journal journal) {
    this.store = requireNonNull(store, "store");
    this.journal = requireNonNull(journal, "journal");
  }

  /** The manifest of the published checkpoint; empty if it is not published by this plan. */
  Optional<Manifest> manifest(StreamPlan stream) throws IOException {
    Optional<JsonNode> staged = journal.last(stream.name(), "staged");
    return staged.isPresent() && isSame(staged.get(), stream)
        ? filled(staged.get(), stream)
        : Optional.empty();
  }

  /**
   * Why an apply cannot go on with a target that this plan filled: it said something else then.
   * Empty if it did not fill it.
   */
  Optional<Finding> changed(StreamPlan stream) throws IOException {
    Optional<JsonNode> staged = journal.last(stream.name(), "staged");
    if (staged.isEmpty()
        || isSame(staged.get(), stream)
        || filled(staged.get(), stream).isEmpty()) {
      return Optional.empty();
    }
    List<String> keys = new ArrayList<>();
    if (!isPlace(staged.get().path("from").asText(), stream.checkpoint().from())) {
      keys.add("checkpoint.from");
    }
    if (!staged.get().path("strategy").asText().equals(stream.strategy().label())) {
      keys.add("strategy");
    } else {
      keys.addAll(WrittenSettings.changed(staged.get().path("keys"), stream));
    }
    return Optional.of(
        Finding.error(
            FindingCode.TARGET_NOT_EMPTY,
            stream.checkpoint().to().orElseThrow().toString(),
            "this plan filled the target, and has been changed since"
                + (keys.isEmpty() ? "" : ": " + String.join(", ", keys)),
            "put the plan back as it was to go on; or roll it back, and apply it as it is now"));
  }

  private boolean isSame(JsonNode staged, StreamPlan stream) throws IOException {
    return isPlace(staged.path("from").asText(), stream.checkpoint().from())
        && staged.path("strategy").asText().equals(stream.strategy().label())
        && staged.path("settings").asText(settings(stream)).equals(settings(stream));
  }

  /** The manifest of what was staged, if that is at the target. */
  private Optional<Manifest> filled(JsonNode staged, StreamPlan stream) throws IOException {
    Optional<Location> to = stream.checkpoint().to();
    if (to.isEmpty() || !isPlace(staged.path("to").asText(), to.get())) {
      return Optional.empty();
    }
    if (store.stat(to.get()).filter(StoreEntry::isDirectory).isEmpty()
        || CheckpointWriter.isUnpublished(store, to.get())) {
      // While it is staged, what is at the target is another's; or it lacks its last file.
      return Optional.empty();
    }
    try {
      Manifest manifest = Manifests.read(store, to.get());
      boolean isThere =
          manifest.files().isEmpty()
              ? store.stat(CheckpointWriter.stagingFor(to.get())).isEmpty()
              : !store.list(to.get()).isEmpty();
      return isThere
              && manifest.fingerprint().equals(staged.path("fingerprint").asText())
              && sameQuery(manifest, to.get())
          ? Optional.of(manifest)
          : Optional.empty();
    } catch (NoSuchFileException | InvalidManifestException noManifest) {
      return Optional.empty();
    }
  }

  /** Whether a journal's text names a place, be it through another symbolic link. */
  private static boolean isPlace(String recorded, Location place) throws IOException {
    return recorded.equals(place.toString())
        || RealPaths.resolve(Location.parse(recorded, Path.of("/")))
            .equals(RealPaths.resolve(place));
  }

  /** What a plan says, besides the places, that changes what is written. */
  static String settings(StreamPlan stream) {
    List<String> sources = new ArrayList<>();
    for (SourcePlan source : stream.sources()) {
      sources.add(source.was().orElse("same") + (source.removed() ? " removed" : ""));
    }
    List<String> rules =
        stream.rewrite().stream().map(rule -> rule.from() + " -> " + rule.to()).sorted().toList();
    return stream.identity().orElse(Identity.KEEP).name()
        + " "
        + stream.copy()
        + " "
        + sources
        + (stream.repair() ? " repair" : "")
        + (stream.strategy() == Strategy.REWIND ? " batch " + stream.batch().orElseThrow() : "")
        + (rules.isEmpty() ? "" : " rewrite " + rules)
        + (stream.strategy() == Strategy.BACKFILL ? " backfill " + jobSettings(stream) : "")
        + (stream.strategy() == Strategy.REPLAY
            ? " replay " + digest(stream.query() + " " + stream.replay() + " " + eventTimes(stream))
            : "");
  }

  /** A digest of what the jobs of a backfill compute, and into what. */
  private static String jobSettings(StreamPlan stream) {
    String text =
        stream.backfill()
            + " "
            + stream.sink().stream().map(sink -> sink.address().text() + " " + sink.keys()).toList()
            + " "
            + stream.sources().stream()
                .map(
                    source ->
                        source.name()
                            + " "
                            + source.address().map(address -> address.text())
                            + " "
                            + source.eventTime())
                .toList()
            + " "
            + stream.conf().get("timeZone");
    return digest(text);
  }

  private static List<String> eventTimes(StreamPlan stream) {
    return stream.sources().stream().map(source -> source.eventTime().orElse("")).toList();
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

  /**
   * Whether the file {@code metadata}, which no query ever changes, is the one that was written.
   */
  private boolean sameQuery(Manifest manifest, Location target) throws IOException {
    Optional<ManifestFile> expected =
        manifest.files().stream().filter(file -> file.path().equals("metadata")).findFirst();
    if (expected.isEmpty()) {
      return true;
    }
    Optional<StoreEntry> there = store.stat(target.child("metadata"));
    if (there.filter(StoreEntry::isFile).isEmpty() || there.get().size() != expected.get().size()) {
      return false;
    }
    try (HashingInputStream in = new HashingInputStream(store.open(target.child("metadata")))) {
      in.drain();
      return in.sha256().equals(expected.get().sha256());
    }
  }
}
