package org.streammigrator.report;

/** Text as string literals of other languages, whatever characters it holds. */
final class Literals {
  private Literals() {}

  /** A Python literal. */
  static String python(String text) {
    return quoted(text, '"');
  }

  /** A Scala literal. */
  static String scala(String text) {
    return quoted(text, '"');
  }

  /** A literal of Spark SQL with its default escapes. */
  static String sql(String text) {
    return quoted(text, '\'');
  }

  /** A name in SQL, in back ticks. */
  static String sqlName(String text) {
    return '`' + text.replace("`", "``") + '`';
  }

  /** Text for a comment: no line ends early. */
  static String oneLine(String text) {
    return text.replaceAll("[\\p{Cntrl}\\u2028\\u2029]", " ");
  }

  private static String quoted(String text, char quote) {
    StringBuilder literal = new StringBuilder().append(quote);
    text.codePoints()
        .forEach(
            c -> {
              if (c == quote || c == '\\') {
                literal.append('\\').appendCodePoint(c);
              } else if (Character.isISOControl(c) || c == 0x2028 || c == 0x2029) {
                literal.append(String.format("\\u%04x", c));
              } else {
                literal.appendCodePoint(c);
              }
            });
    return literal.append(quote).toString();
  }
}
