package org.streammigrator.migration;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.streammigrator.authoring.CheckpointWriter;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.plan.Strategy;
import org.streammigrator.plan.StreamPlan;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;
import org.streammigrator.storage.UnservedPlaceException;

/** Looks whether the places of a plan can be what the plan wants them to be. */
final class PlaceSurvey {
  private final Store store;
  private final String owner;

  PlaceSurvey(Store store, String owner) {
    this.store = requireNonNull(store, "store");
    this.owner = requireNonNull(owner, "owner");
  }

  /**
   * Checks the old and the new place and the archive's; what is wrong goes to the findings.
   *
   * @param filled what is to be said of a target that is not empty, where more is known of it
   * @return whether a store serves the old place, so that it can be read
   */
  boolean check(StreamPlan stream, Optional<Finding> filled, List<Finding> findings)
      throws IOException {
    Location from = stream.checkpoint().from();
    Optional<Location> to = stream.checkpoint().to();
    boolean served = isServed(from, findings);
    if (to.isPresent() && isServed(to.get(), findings) && served) {
      places(from, to.get(), filled, findings);
      if (stream.strategy() == Strategy.START_OPTIONS && !store.traits(to.get()).publishes()) {
        findings.add(
            Unavailable.refused(
                "checkpoint",
                "an empty checkpoint in a store that has no directories of its own",
                "use strategy seed; or start the new query there with what migrator resume prints"));
      }
    }
    if (stream.archive().isPresent() && isServed(stream.archive().get().to(), findings)) {
      archivePlace(stream.archive().get().to(), from, to, findings);
    }
    return served;
  }

  private boolean isServed(Location place, List<Finding> findings) throws IOException {
    try {
      store.traits(place);
      return true;
    } catch (UnservedPlaceException unserved) {
      findings.add(
          Finding.error(
              FindingCode.NOT_AVAILABLE,
              place.toString(),
              "no store of this version serves this place",
              unserved.getReason()));
      return false;
    }
  }

  /** Whether the last part of a place is a link. */
  private static boolean isLink(Location place, Location real) throws IOException {
    Optional<Location> parent = place.parent();
    return parent.isPresent() && !RealPaths.resolve(parent.get()).child(place.name()).equals(real);
  }

  private void places(Location from, Location to, Optional<Finding> filled, List<Finding> findings)
      throws IOException {
    Location realFrom = RealPaths.resolve(from);
    Location realTo = RealPaths.resolve(to);
    if (realFrom.equals(realTo)) {
      findings.add(
          Finding.error(
              FindingCode.SAME_LOCATION,
              to.toString(),
              "the new checkpoint would be the old one" + through(from, to, realFrom),
              "give it another place"));
      return;
    }
    if (realTo.isInside(realFrom) || realFrom.isInside(realTo)) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              to.toString(),
              "one of the two checkpoints would lie inside the other",
              "give the new one a place beside the old one"));
      return;
    }
    Optional<String> other = CheckpointWriter.otherWriter(store, to, owner);
    Optional<StoreEntry> there = store.stat(to);
    if (other.isPresent()) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_NOT_EMPTY,
              to.toString(),
              "another plan, with its journal at "
                  + other.get()
                  + ", has begun to write to the target and has not ended",
              "apply that plan to its end or roll it back; or choose another target"));
    } else if (there.isPresent() && isLink(to, realTo) && store.list(realTo).isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_NOT_EMPTY,
              to.toString(),
              "the target is a symbolic link to "
                  + realTo
                  + ", and a new checkpoint gets its name in one step, which a link stands in the way of",
              "name " + realTo + " as the target, or remove the link"));
    } else if (there.isPresent()
        && !(there.get().isDirectory()
            && (store.list(to).isEmpty() || CheckpointWriter.isOurs(store, to, owner)))) {
      findings.add(
          filled.orElseGet(
              () ->
                  Finding.error(
                      FindingCode.TARGET_NOT_EMPTY,
                      to.toString(),
                      there.get().isDirectory()
                          ? "the target is not empty, and this plan did not fill it"
                          : "the target is a file",
                      "choose a place that does not exist; nothing is ever overwritten")));
    }
    fileAbove(to).ifPresent(findings::add);
  }

  private Optional<Finding> fileAbove(Location to) throws IOException {
    for (Optional<Location> above = to.parent(); above.isPresent(); above = above.get().parent()) {
      Optional<StoreEntry> entry = store.stat(above.get());
      if (entry.isPresent()) {
        return entry.get().isDirectory()
            ? Optional.empty()
            : Optional.of(
                Finding.error(
                    FindingCode.TARGET_NOT_EMPTY,
                    above.get().toString(),
                    "a file stands where the target needs a directory",
                    "choose another place"));
      }
    }
    return Optional.empty();
  }

  private static String through(Location from, Location to, Location real) {
    return from.equals(to) ? "" : " (both are " + real + ")";
  }

  private static void archivePlace(
      Location archive, Location from, Optional<Location> to, List<Finding> findings)
      throws IOException {
    Location real = RealPaths.resolve(archive);
    Location realFrom = RealPaths.resolve(from);
    if (real.equals(realFrom) || real.isInside(realFrom)) {
      findings.add(
          Finding.error(
              FindingCode.TARGET_INSIDE_SOURCE,
              archive.toString(),
              "the archive would lie inside the checkpoint that it packs",
              "give archives a place of their own"));
    }
    if (to.isPresent()) {
      Location realTo = RealPaths.resolve(to.get());
      if (real.equals(realTo) || real.isInside(realTo)) {
        findings.add(
            Finding.error(
                FindingCode.TARGET_NOT_EMPTY,
                archive.toString(),
                "the archive would lie inside the new checkpoint, which must be empty until then",
                "give archives a place of their own"));
      }
    }
  }
}
