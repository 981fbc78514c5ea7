package org.streammigrator.report;

import java.util.ArrayList;
import java.util.List;

/** Rows of text in aligned columns, two blanks apart, without trailing blanks. */
public final class TextTable {
  private final List<List<String>> rows = new ArrayList<>();

  /** Adds a row; rows may differ in length, and the last cell of a row widens no column. */
  public TextTable row(Object... cells) {
    rows.add(java.util.Arrays.stream(cells).map(String::valueOf).toList());
    return this;
  }

  /** The table, each line indented and ended by a line feed. */
  public String render(String indent) {
    List<Integer> widths = new ArrayList<>();
    for (List<String> row : rows) {
      for (int i = 0; i < row.size() - 1; i++) {
        int width = row.get(i).codePointCount(0, row.get(i).length());
        if (i == widths.size()) {
          widths.add(width);
        } else {
          widths.set(i, Math.max(widths.get(i), width));
        }
      }
    }
    StringBuilder text = new StringBuilder();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder(indent);
      for (int i = 0; i < row.size(); i++) {
        String cell = row.get(i);
        line.append(cell);
        if (i < row.size() - 1) {
          line.append(" ".repeat(widths.get(i) - cell.codePointCount(0, cell.length()) + 2));
        }
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
    return text.toString();
  }
}
