package org.streammigrator.report;

/** Text broken into lines that fit a terminal. */
final class Wrapped {
  private static final int WIDTH = 100;

  private Wrapped() {}

  /**
   * The words of a text in as many lines as they need, each ended by a line feed. A word longer
   * than a line, such as a path, is never cut.
   *
   * @param first what the first line begins with
   * @param others what each other line begins with
   */
  static String lines(String first, String others, String words) {
    StringBuilder text = new StringBuilder();
    StringBuilder line = new StringBuilder(first);
    boolean empty = true;
    for (String word : words.split(" ", -1)) {
      if (!empty && line.length() + 1 + word.length() > WIDTH) {
        text.append(line.toString().stripTrailing()).append('\n');
        line = new StringBuilder(others);
        empty = true;
      }
      line.append(empty ? "" : " ").append(word);
      empty = false;
    }
    return text.append(line).append('\n').toString();
  }
}
