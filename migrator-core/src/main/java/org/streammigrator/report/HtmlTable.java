package org.streammigrator.report;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * A table that becomes a list of cards where it is narrow. Its roles are written out, since a
 * browser takes them from a table that is laid out as anything else.
 */
final class HtmlTable {
  private final Markup markup;
  private final List<String> columns;
  private final Set<Integer> numbers;
  private final Set<Integer> words;
  private int column;

  /**
   * Begins a table.
   *
   * @param style the table's class; null for none
   * @param numbers which columns hold numbers, from 0
   * @param words which hold a word or two, that are not broken
   */
  HtmlTable(
      Markup markup, String style, List<String> columns, Set<Integer> numbers, Set<Integer> words)
      throws IOException {
    this.markup = requireNonNull(markup, "markup");
    this.columns = List.copyOf(columns);
    this.numbers = Set.copyOf(numbers);
    this.words = Set.copyOf(words);
    markup
        .open("table", "role", "table", "class", style)
        .open("thead", "role", "rowgroup")
        .open("tr", "role", "row");
    for (int i = 0; i < columns.size(); i++) {
      markup.leaf(
          "th",
          columns.get(i),
          "scope",
          "col",
          "role",
          "columnheader",
          "class",
          numbers.contains(i) ? "n" : null);
    }
    markup.close(2).open("tbody", "role", "rowgroup").line();
  }

  void row() throws IOException {
    column = 0;
    markup.open("tr", "role", "row");
  }

  /** Begins a cell, which the caller ends. */
  void cell() throws IOException {
    styledCell(numbers.contains(column) ? "n" : words.contains(column) ? "t" : null);
  }

  /** Begins a cell of a style, which the caller ends. */
  void styledCell(String style) throws IOException {
    markup.open(
        "td", "role", "cell", "class", style, "data-label", markup.said(columns.get(column++)));
  }

  /** A cell with a text. */
  void cell(String text) throws IOException {
    cell();
    // One element, so that a card has a label and a content.
    markup.leaf("bdi", text).close();
  }

  void endRow() throws IOException {
    markup.close().line();
  }

  void end() throws IOException {
    markup.close(2);
  }
}
