package org.streammigrator.authoring;

import static java.util.Objects.requireNonNull;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.streammigrator.finding.Exactness;
import org.streammigrator.finding.Finding;

/**
 * A checkpoint that is going to be written: a pure value, nothing is written yet.
 *
 * @param files its files, sorted by path
 * @param queryId the query id it will hold; null if none
 * @param lastPlanned its newest planned batch
 * @param lastCommitted its newest committed batch
 * @param exactness what going on from it gives
 * @param explanation why, in a sentence
 * @param findings what the user should know; an error forbids writing it
 */
public record Draft(
    List<TargetFile> files,
    String queryId,
    OptionalLong lastPlanned,
    OptionalLong lastCommitted,
    Exactness exactness,
    String explanation,
    List<Finding> findings) {

  public Draft {
    requireNonNull(lastPlanned, "lastPlanned");
    requireNonNull(lastCommitted, "lastCommitted");
    requireNonNull(exactness, "exactness");
    requireNonNull(explanation, "explanation");
    files = files.stream().sorted(Comparator.comparing(TargetFile::path)).toList();
    findings = List.copyOf(findings);
  }

  /** A draft that cannot be made; the findings say why. */
  public static Draft refused(List<Finding> findings) {
    return new Draft(
        List.of(),
        null,
        OptionalLong.empty(),
        OptionalLong.empty(),
        Exactness.UNKNOWN,
        "refused",
        findings);
  }

  /** The same draft, called no more exact than the given label. */
  public Draft noBetterThan(Exactness best) {
    return best.compareTo(exactness) <= 0
        ? this
        : new Draft(
            files,
            queryId,
            lastPlanned,
            lastCommitted,
            best,
            explanation
                + "; not exact, because of what was accepted or left out (see the findings)",
            findings);
  }

  /** Whether the same checkpoint is written, whatever is said of it. */
  public boolean writesSameAs(Draft other) {
    return files.equals(other.files)
        && lastPlanned.equals(other.lastPlanned)
        && lastCommitted.equals(other.lastCommitted);
  }

  /** The number of bytes in all files. */
  public long bytes() {
    return files.stream().mapToLong(TargetFile::size).sum();
  }
}
