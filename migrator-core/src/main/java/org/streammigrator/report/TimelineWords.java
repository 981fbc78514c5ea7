package org.streammigrator.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.streammigrator.migration.Timeline;

/** A timeline in words. */
final class TimelineWords {
  private static final String NOTHING = "–";

  private TimelineWords() {}

  /** Which batches there are. */
  static String batches(Timeline timeline) {
    List<String> parts = new ArrayList<>();
    parts.add(
        timeline.old() == null
            ? "The old checkpoint's batches are " + ReportWords.UNKNOWN
            : "Old checkpoint: " + ReportWords.batches(timeline.old()));
    if (timeline.cut() != null) {
      parts.add("cut at the end of batch " + timeline.cut());
      parts.add(
          timeline.now() == null
              ? "the new query has run no batch yet"
              : "new query: " + ReportWords.batches(timeline.now()));
    } else {
      parts.add("no cut, since nothing was applied");
    }
    return String.join("; ", parts) + (timeline.isSampled() ? ". Not every batch is shown." : ".");
  }

  static String oldest(Timeline timeline) {
    return timeline.old() == null ? "Oldest kept" : "Oldest kept, batch " + timeline.old().first();
  }

  static String cut(Timeline timeline) {
    return timeline.cut() == null
        ? timeline.old() == null ? "Newest" : "Newest, batch " + timeline.old().last()
        : "Cut, batch " + timeline.cut();
  }

  static String newest(Timeline timeline) {
    return timeline.now() == null ? "New query" : "New query, batch " + timeline.now().last();
  }

  static String first(Timeline.Lane lane) {
    return lane.old().isEmpty() ? NOTHING : lane.old().get(0).words();
  }

  /** Where the old query's work ends. */
  static String atCut(Timeline timeline, Timeline.Lane lane) {
    Optional<Timeline.Point> last = Optional.empty();
    for (Timeline.Point point : lane.old()) {
      if (timeline.cut() == null || point.batch() <= timeline.cut()) {
        last = Optional.of(point);
      }
    }
    return last.map(TimelineWords::words).orElse(NOTHING);
  }

  /** Where the new query stands. */
  static String last(Timeline timeline, Timeline.Lane lane) {
    if (timeline.cut() == null) {
      return NOTHING;
    }
    if (lane.now().isEmpty()) {
      return ReportWords.UNKNOWN + " yet";
    }
    Timeline.Point last = lane.now().get(lane.now().size() - 1);
    return words(last);
  }

  private static String words(Timeline.Point point) {
    return point.words() + (point.isCommitted() ? "" : " (planned, not committed)");
  }

  /** The same for those who do not see the picture. */
  static String sentence(Timeline timeline, Timeline.Lane lane) {
    return (lane.name().isEmpty() ? "" : lane.name() + ": ")
        + oldest(timeline)
        + ": "
        + first(lane)
        + "; "
        + cut(timeline)
        + ": "
        + atCut(timeline, lane)
        + "; "
        + newest(timeline)
        + ": "
        + last(timeline, lane);
  }
}
