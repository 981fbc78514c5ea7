package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.streammigrator.migration.Timeline;

/** The positions of a source in an HTML report: one picture, or one for each of its partitions. */
final class HtmlTimeline {
  private static final int MOST_SHOWN = 24;

  private final Markup markup;
  private final LaneDrawing drawing;

  HtmlTimeline(Markup markup) {
    this.markup = requireNonNull(markup, "markup");
    this.drawing = new LaneDrawing(markup);
  }

  void write(Timeline timeline) throws IOException {
    markup
        .open("figure")
        .open("figcaption")
        .leaf("h5", "Source " + timeline.source() + " · " + timeline.type())
        .leaf("div", TimelineWords.batches(timeline), "class", "soft")
        .close();
    if (timeline.lanes().size() == 1 && timeline.lanes().get(0).name().isEmpty()) {
      Timeline.Lane lane = timeline.lanes().get(0);
      drawing.draw(timeline, lane, TimelineWords.sentence(timeline, lane));
      markup.open("dl", "class", "span3");
      span(TimelineWords.oldest(timeline), TimelineWords.first(lane));
      span(TimelineWords.cut(timeline), TimelineWords.atCut(timeline, lane));
      span(TimelineWords.newest(timeline), TimelineWords.last(timeline, lane));
      markup.close();
    } else {
      List<Timeline.Lane> lanes = timeline.lanes();
      int shown = Math.min(MOST_SHOWN, lanes.size());
      table(timeline, lanes.subList(0, shown), true);
      if (shown < lanes.size()) {
        markup
            .open("details", "class", "more")
            .leaf("summary", (lanes.size() - shown) + " more partitions, without pictures");
        table(timeline, lanes.subList(shown, lanes.size()), false);
        markup.close();
      }
      if (timeline.moreLanes() > 0) {
        markup.leaf(
            "p",
            timeline.moreLanes() + " more partitions are left out; the checkpoints have them.",
            "class",
            "soft");
      }
    }
    markup.close();
  }

  private void span(String name, String value) throws IOException {
    markup.open("div").leaf("dt", name).leaf("dd", value, "dir", "auto").close();
  }

  private void table(Timeline timeline, List<Timeline.Lane> lanes, boolean isDrawn)
      throws IOException {
    List<String> columns = new ArrayList<>(List.of("Partition"));
    if (isDrawn) {
      columns.add("Positions");
    }
    int numbers = columns.size();
    columns.add(TimelineWords.oldest(timeline));
    columns.add(TimelineWords.cut(timeline));
    columns.add(TimelineWords.newest(timeline));
    HtmlTable table =
        new HtmlTable(markup, null, columns, Set.of(numbers, numbers + 1, numbers + 2), Set.of());
    for (Timeline.Lane lane : lanes) {
      table.row();
      table.cell(lane.name());
      if (isDrawn) {
        table.styledCell("draw");
        drawing.draw(timeline, lane, TimelineWords.sentence(timeline, lane));
        markup.close();
      }
      table.cell(TimelineWords.first(lane));
      table.cell(TimelineWords.atCut(timeline, lane));
      table.cell(TimelineWords.last(timeline, lane));
      table.endRow();
    }
    table.end();
  }
}
