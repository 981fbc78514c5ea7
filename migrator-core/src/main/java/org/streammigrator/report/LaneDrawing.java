package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.streammigrator.migration.Timeline;

/**
 * Draws the positions of one partition: to the left of the cut the old query's, to the right the
 * new one's. Across go batches, upwards positions. Old and new differ in more than colour: thin
 * line and dots, thick line and rings.
 */
final class LaneDrawing {
  private static final double LEFT = 8;
  private static final double CUT = 560;
  private static final double RIGHT = 992;
  private static final double TOP = 10;
  private static final double BOTTOM = 90;
  private static final int MOST_DOTS = 40;

  private final Markup markup;

  LaneDrawing(Markup markup) {
    this.markup = requireNonNull(markup, "markup");
  }

  /** A place in the drawing. */
  private record Spot(double x, double y) {
    @Override
    public String toString() {
      return number(x) + " " + number(y);
    }
  }

  private static String number(double value) {
    long tenths = Math.round(value * 10);
    return tenths % 10 == 0 ? Long.toString(tenths / 10) : Double.toString(tenths / 10.0);
  }

  /**
   * Draws.
   *
   * @param words what is drawn, for those who do not see it
   */
  void draw(Timeline timeline, Timeline.Lane lane, String words) throws IOException {
    List<Timeline.Point> kept = new ArrayList<>();
    List<Timeline.Point> left = new ArrayList<>();
    for (Timeline.Point point : lane.old()) {
      (timeline.cut() == null || point.batch() <= timeline.cut() ? kept : left).add(point);
    }
    Scale scale = Scale.of(lane);
    boolean isCut = timeline.cut() != null;
    List<Spot> old = spots(kept, LEFT, isCut ? CUT : RIGHT, true, scale);
    boolean isShared = !left.isEmpty() && !lane.now().isEmpty();
    List<Spot> behind = after(timeline, left, isShared, lane, scale);
    List<Spot> now = after(timeline, lane.now(), isShared, lane, scale);
    markup.open(
        "svg",
        "class",
        "lane",
        "viewBox",
        "0 0 1000 100",
        "preserveAspectRatio",
        "none",
        "role",
        "img",
        "aria-label",
        markup.said(words));
    if (isCut && now.isEmpty()) {
      markup.empty(
          "rect",
          "class",
          "unknown",
          "x",
          number(CUT),
          "y",
          "4",
          "width",
          number(RIGHT - CUT),
          "height",
          "92");
    }
    area("area-old", old);
    line("line-old", old);
    boolean goesOn =
        !old.isEmpty()
            && !now.isEmpty()
            && lane.now().get(0).value() != null
            && kept.get(kept.size() - 1).value() != null
            && lane.now().get(0).value() >= kept.get(kept.size() - 1).value();
    List<Spot> fromCut = new ArrayList<>(now);
    if (goesOn) {
      fromCut.add(0, new Spot(CUT, old.get(old.size() - 1).y()));
    }
    if (!behind.isEmpty() && !old.isEmpty()) {
      List<Spot> further = new ArrayList<>(behind);
      further.add(0, old.get(old.size() - 1));
      line("line-left", further);
    }
    area("area-new", fromCut);
    line("line-new", fromCut);
    if (isCut) {
      path("cut", "M" + number(CUT) + " 0V100");
    }
    dots("dot-old", old);
    dots("dot-old", behind);
    dots("dot-new", now);
    dots("dot-hole", now);
    markup.close();
  }

  /** From which position to which the drawing goes. */
  private record Scale(double low, double high) {
    static Scale of(Timeline.Lane lane) {
      double low = Double.POSITIVE_INFINITY;
      double high = Double.NEGATIVE_INFINITY;
      for (List<Timeline.Point> points : List.of(lane.old(), lane.now())) {
        for (Timeline.Point point : points) {
          if (point.value() != null) {
            low = Math.min(low, point.value());
            high = Math.max(high, point.value());
          }
        }
      }
      return new Scale(low, high);
    }

    double y(Double value) {
      return value == null || high <= low
          ? (TOP + BOTTOM) / 2
          : BOTTOM - (value - low) / (high - low) * (BOTTOM - TOP);
    }
  }

  /**
   * Batches after the cut. Where there are batches of both queries they stand by their numbers, so
   * that the same number stands at the same place.
   */
  private static List<Spot> after(
      Timeline timeline,
      List<Timeline.Point> points,
      boolean isShared,
      Timeline.Lane lane,
      Scale scale) {
    if (!isShared || lane.now().get(0).batch() <= timeline.cut()) {
      return spots(points, CUT, RIGHT, false, scale);
    }
    long last =
        Math.max(
            lane.old().get(lane.old().size() - 1).batch(),
            lane.now().get(lane.now().size() - 1).batch());
    List<Spot> spots = new ArrayList<>();
    for (Timeline.Point point : points) {
      double part = (double) (point.batch() - timeline.cut()) / (last - timeline.cut());
      spots.add(new Spot(CUT + (RIGHT - CUT) * part, scale.y(point.value())));
    }
    return spots;
  }

  /** Batches at even distances; the old ones end at the cut, the new ones begin after it. */
  private static List<Spot> spots(
      List<Timeline.Point> points, double from, double to, boolean endsThere, Scale scale) {
    List<Spot> spots = new ArrayList<>();
    int steps = endsThere ? Math.max(1, points.size() - 1) : points.size();
    for (int i = 0; i < points.size(); i++) {
      int step = !endsThere ? i + 1 : points.size() == 1 ? 1 : i;
      spots.add(new Spot(from + (to - from) * step / steps, scale.y(points.get(i).value())));
    }
    return spots;
  }

  private void line(String style, List<Spot> spots) throws IOException {
    if (spots.size() > 1) {
      path(style, outline(spots));
    }
  }

  private void area(String style, List<Spot> spots) throws IOException {
    if (spots.size() > 1) {
      path(style, outline(spots) + "V100H" + number(spots.get(0).x()) + "Z");
    }
  }

  private static String outline(List<Spot> spots) {
    StringBuilder path = new StringBuilder();
    for (Spot spot : spots) {
      path.append(path.isEmpty() ? "M" : "L").append(spot);
    }
    return path.toString();
  }

  /** Points of a pen, which stay round however the drawing is stretched. */
  private void dots(String style, List<Spot> spots) throws IOException {
    if (spots.isEmpty()) {
      return;
    }
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < spots.size(); i++) {
      if (spots.size() <= MOST_DOTS || i == 0 || i == spots.size() - 1) {
        path.append('M').append(spots.get(i)).append("h0");
      }
    }
    path(style, path.toString());
  }

  private void path(String style, String path) throws IOException {
    markup.empty("path", "class", style, "d", path);
  }
}
