package org.streammigrator.authoring;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.streammigrator.checkpoint.OffsetLog;
import org.streammigrator.checkpoint.source.NoOffset;
import org.streammigrator.finding.Finding;
import org.streammigrator.finding.FindingCode;

/**
 * Where the sources of a new query stood in the old log. Version 1 logs are positional, and Spark
 * accepts two sources of one kind that swapped places without a word, so that every source must be
 * accounted for by name.
 *
 * @param oldIds by position in the new query, the id in the old log; empty for a new source
 * @param removed the old ids that are knowingly dropped
 */
public record SourceMapping(List<Optional<String>> oldIds, List<String> removed) {

  public SourceMapping {
    oldIds = List.copyOf(oldIds);
    removed = List.copyOf(removed);
  }

  /** What is wrong with the mapping for a log; empty if nothing is. */
  Optional<Finding> problem(OffsetLog log) {
    List<String> used = new ArrayList<>(removed);
    oldIds.forEach(id -> id.ifPresent(used::add));
    List<String> there = log.sources().stream().map(OffsetLog.SourceLine::id).toList();
    TreeSet<String> unknown = new TreeSet<>(used);
    unknown.removeAll(there);
    TreeSet<String> forgotten = new TreeSet<>(there);
    forgotten.removeAll(used);
    String message = null;
    if (log.version() != 1) {
      message =
          "the offset log has version 2, and this version maps sources of version 1 logs only";
    } else if (!unknown.isEmpty()) {
      message = "the old checkpoint has no source " + String.join(", ", unknown);
    } else if (!forgotten.isEmpty()) {
      message =
          "the plan says nothing of source "
              + String.join(", ", forgotten)
              + " of the old checkpoint";
    } else if (new TreeSet<>(used).size() < used.size()) {
      message = "two sources of the plan stood in one place of the old checkpoint";
    }
    return Optional.ofNullable(message)
        .map(
            text ->
                Finding.error(
                    FindingCode.SOURCES_DIFFER,
                    "sources",
                    text + " (it has " + String.join(", ", there) + ")",
                    "list every source of the new query in its order with `was`: the old id, or none;"
                        + " and every dropped one with `was` and `removed: true`"));
  }

  /** The log's text with the sources in their new order. */
  String apply(OffsetLog log) {
    List<String> lines = new ArrayList<>(log.text().lines().limit(2).toList());
    for (Optional<String> id : oldIds) {
      lines.add(id.flatMap(log::source).map(OffsetLog.SourceLine::raw).orElse(NoOffset.TEXT));
    }
    return String.join("\n", lines);
  }

  /**
   * Where a file below {@code sources/} goes; empty if its source is dropped. MongoDB's connector
   * keeps its start in the file {@code sources/<id>} itself.
   */
  Optional<String> newPath(String path) {
    String[] parts = path.split("/", 3);
    int position = parts.length < 2 ? -1 : oldIds.indexOf(Optional.of(parts[1]));
    return position < 0
        ? Optional.empty()
        : Optional.of("sources/" + position + (parts.length == 2 ? "" : "/" + parts[2]));
  }
}
