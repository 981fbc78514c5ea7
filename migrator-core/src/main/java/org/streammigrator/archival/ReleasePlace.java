package org.streammigrator.archival;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;
import org.streammigrator.migration.Operator;
import org.streammigrator.migration.OperatorLock;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.RealPaths;
import org.streammigrator.storage.Store;
import org.streammigrator.storage.StoreEntry;

/** Whether a place is one where something may be deleted, whatever is there. */
final class ReleasePlace {
  private final Store store;
  private final ReleaseRequest request;
  private final Location place;

  ReleasePlace(Store store, ReleaseRequest request) {
    this.store = requireNonNull(store, "store");
    this.request = requireNonNull(request, "request");
    this.place = request.checkpoint();
  }

  /** What speaks against it. */
  List<Finding> check() throws IOException {
    List<Finding> findings = new ArrayList<>();
    if (place.parent().isEmpty()) {
      findings.add(
          Finding.error(
              FindingCode.NOT_A_CHECKPOINT,
              place.toString(),
              "this is the root of a file system or a bucket",
              "name the checkpoint's own directory; a root is never deleted"));
      return findings;
    }
    inside("the archive", request.archive()).ifPresent(findings::add);
    for (Location journal : request.journals()) {
      inside("the journal", journal).ifPresent(findings::add);
    }
    links().ifPresent(findings::add);
    lock(Operator.lockOf(place), "the checkpoint").ifPresent(findings::add);
    return findings;
  }

  /** What speaks against it in the places of the migration that went on from there. */
  List<Finding> checkOthers(Supersession supersession) throws IOException {
    List<Finding> findings = new ArrayList<>();
    inside("the successor", supersession.successor()).ifPresent(findings::add);
    Location real = RealPaths.resolve(supersession.successor());
    if (real.equals(RealPaths.resolve(place)) || RealPaths.resolve(place).isInside(real)) {
      findings.add(
          Finding.error(
              FindingCode.SAME_LOCATION,
              place.toString(),
              "the successor " + supersession.successor() + " is this place, or lies around it",
              "release nothing here: it would go with its successor"));
    }
    lock(Operator.lockOf(supersession.successor()), "its successor").ifPresent(findings::add);
    lock(supersession.journal().child("lock"), "the plan").ifPresent(findings::add);
    return findings;
  }

  private Optional<Finding> inside(String what, Location other) throws IOException {
    Location real = RealPaths.resolve(place);
    Location realOther = RealPaths.resolve(other);
    return realOther.equals(real) || realOther.isInside(real)
        ? Optional.of(
            Finding.error(
                FindingCode.TARGET_INSIDE_SOURCE,
                other.toString(),
                what + " lies in " + place + " and would be deleted with it",
                "move it to another place first"))
        : Optional.empty();
  }

  private Optional<Finding> links() throws IOException {
    Location real = RealPaths.resolve(place);
    if (store.isLink(place) || !real.equals(place)) {
      return Optional.of(
          linked(place, "it is reached through a symbolic link; it really is " + real));
    }
    if (store.stat(place).filter(StoreEntry::isDirectory).isEmpty()) {
      return Optional.empty();
    }
    for (StoreEntry entry : store.walk(place)) {
      if (store.isLink(entry.location())) {
        return Optional.of(
            linked(
                entry.location(),
                "a symbolic link lies in the checkpoint; what it leads to may be another's"));
      }
    }
    return Optional.empty();
  }

  private static Finding linked(Location place, String message) {
    return Finding.error(
        FindingCode.LINKED_PLACE,
        place.toString(),
        message,
        "name the real place, and remove links that lie in it; nothing is deleted through a link");
  }

  private Optional<Finding> lock(Location lock, String what) throws IOException {
    Optional<OperatorLock.Holder> holder =
        OperatorLock.holder(store, lock).filter(one -> !one.dead());
    boolean ours = request.takeOver() && lock.equals(Operator.lockOf(place));
    return holder.isPresent() && !ours
        ? Optional.of(
            Finding.error(
                FindingCode.ACTIVE_RUN,
                what,
                "an operator is at work on " + what + ": " + holder.get().text(),
                "wait until it has ended; its claim is in " + lock))
        : Optional.empty();
  }
}
