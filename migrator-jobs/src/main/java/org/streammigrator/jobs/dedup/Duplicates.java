package org.streammigrator.jobs.dedup;

import java.util.List;
import java.util.Set;
import org.streammigrator.job.DedupResult;
import org.streammigrator.jobs.lake.RowPositions;

/**
 * Rows too many in one version of a table.
 *
 * @param keys how many keys have such rows
 * @param tiedKeys keys whose survivor the declared order did not decide
 * @param rows the rows that go
 * @param files the files that hold them and their survivors
 * @param sample up to five of the keys
 */
record Duplicates(
    long keys,
    long tiedKeys,
    RowPositions rows,
    Set<String> files,
    List<DedupResult.Sample> sample) {
  /** No row goes. */
  static final Duplicates NONE = new Duplicates(0, 0, new RowPositions(), Set.of(), List.of());

  Duplicates {
    files = Set.copyOf(files);
    sample = List.copyOf(sample);
  }
}
