package org.streammigrator.jobs.repartition;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.OptionalInt;
import org.streammigrator.checkpoint.Checkpoint;
import org.streammigrator.copy.Manifest;
import org.streammigrator.finding.Finding;
import org.streammigrator.job.RepartitionResult;
import org.streammigrator.job.RepartitionResult.StoreRows;
import org.streammigrator.report.JsonOutput;
import org.streammigrator.storage.Location;

/** The results that a repartition of one checkpoint can have. */
record Outcome(Location from, Location to, Checkpoint old, int partitions) {
  Outcome {
    requireNonNull(from, "from");
    requireNonNull(to, "to");
    requireNonNull(old, "old");
  }

  RepartitionResult done(List<StoreRows> stores, Manifest manifest, List<Finding> findings) {
    return result(
        true,
        "done",
        "the state has another number of partitions, and every row that it had",
        stores,
        (long) manifest.files().size(),
        manifest.bytes(),
        findings);
  }

  RepartitionResult unchanged(Manifest manifest) {
    return result(
        true,
        "unchanged",
        "an earlier run finished it; nothing to do",
        List.of(),
        (long) manifest.files().size(),
        manifest.bytes(),
        List.of());
  }

  RepartitionResult planned(long files, long bytes, List<Finding> findings) {
    return result(
        true,
        "dry-run",
        "so many files would be copied and their state repartitioned; nothing was written",
        List.of(),
        files,
        bytes,
        findings);
  }

  RepartitionResult refused(String message, List<Finding> findings) {
    return result(false, "refused", message, List.of(), null, null, findings);
  }

  RepartitionResult locked(String message) {
    return result(false, "locked", message, List.of(), null, null, List.of());
  }

  RepartitionResult different(List<StoreRows> stores, Location left) {
    return result(
        false,
        "different",
        "the state is not what it was, so that nothing is at the target; what Spark made is left at "
            + left,
        stores,
        null,
        null,
        List.of());
  }

  private RepartitionResult result(
      boolean ok,
      String status,
      String message,
      List<StoreRows> stores,
      Long files,
      Long bytes,
      List<Finding> findings) {
    OptionalInt pinned = RepartitionRules.pinned(old);
    return new RepartitionResult(
        ok,
        status,
        message,
        from.toString(),
        to.toString(),
        pinned.isPresent() ? (Integer) pinned.getAsInt() : null,
        partitions,
        old.lastCommitted().isPresent() ? (Long) (old.lastCommitted().getAsLong() + 1) : null,
        stores,
        files,
        bytes,
        findings.stream().map(JsonOutput::tree).toList(),
        0);
  }
}
