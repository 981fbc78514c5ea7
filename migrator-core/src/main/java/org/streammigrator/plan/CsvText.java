package org.streammigrator.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * CSV as RFC 4180 has it: commas, a header row, {@code "} around fields that hold a comma, a line
 * end or a quote, which is doubled. Lines end in LF, CRLF or CR. A byte order mark before the
 * header and lines without any character are passed over; blanks are part of a field.
 */
final class CsvText {
  private final String file;
  private final String text;
  private int at;
  private int line = 1;

  private CsvText(String file, String text) {
    this.file = file;
    this.text = text.startsWith("\uFEFF") ? text.substring(1) : text;
  }

  /**
   * The rows below the header.
   *
   * @param file the file's name, for messages
   * @throws UnusableTemplateException if it is no such text; the message says in which line
   */
  static List<TemplateRow> rows(String file, String text) {
    return new CsvText(file, text).rows();
  }

  private List<TemplateRow> rows() {
    List<String> header = List.of();
    List<TemplateRow> rows = new ArrayList<>();
    while (skipEmptyLines()) {
      int start = line;
      List<String> fields = record();
      if (header.isEmpty()) {
        header = header(fields, start);
        continue;
      }
      if (fields.size() != header.size()) {
        throw broken(
            start,
            "the header has "
                + header.size()
                + (header.size() == 1 ? " column" : " columns")
                + ", this row has "
                + fields.size());
      }
      Map<String, String> values = new HashMap<>();
      for (int i = 0; i < header.size(); i++) {
        values.put(header.get(i), fields.get(i));
      }
      rows.add(new TemplateRow(file + " line " + start, values));
    }
    if (header.isEmpty()) {
      throw broken(1, "there is no header row, whose columns are the names");
    }
    if (rows.isEmpty()) {
      throw broken(line, "there is no row below the header, so that it makes no stream");
    }
    return rows;
  }

  private List<String> header(List<String> fields, int start) {
    List<String> names = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (String field : fields) {
      String name = field.strip();
      if (name.isEmpty()) {
        throw broken(start, "column " + (names.size() + 1) + " of the header has no name");
      }
      if (name.contains(":") || name.contains("{") || name.contains("}")) {
        throw broken(start, "the column '" + name + "' cannot be called so: leave :, { and } out");
      }
      if (!seen.add(name)) {
        throw broken(start, "two columns are called '" + name + "'");
      }
      names.add(name);
    }
    return names;
  }

  private boolean skipEmptyLines() {
    while (at < text.length() && isLineEnd()) {
      endLine();
    }
    return at < text.length();
  }

  private List<String> record() {
    List<String> fields = new ArrayList<>();
    while (true) {
      fields.add(at < text.length() && text.charAt(at) == '"' ? quoted() : plain());
      if (at == text.length()) {
        return fields;
      }
      if (isLineEnd()) {
        endLine();
        return fields;
      }
      at++;
    }
  }

  private String plain() {
    int start = at;
    while (at < text.length() && text.charAt(at) != ',' && !isLineEnd()) {
      if (text.charAt(at) == '"') {
        throw broken(line, "a quote stands inside of a field that does not begin with one");
      }
      at++;
    }
    return text.substring(start, at);
  }

  private String quoted() {
    int first = line;
    StringBuilder field = new StringBuilder();
    for (at++; at < text.length(); ) {
      if (text.charAt(at) != '"') {
        if (isLineEnd()) {
          field.append('\n');
          endLine();
        } else {
          field.append(text.charAt(at++));
        }
      } else if (at + 1 < text.length() && text.charAt(at + 1) == '"') {
        field.append('"');
        at += 2;
      } else {
        at++;
        if (at < text.length() && text.charAt(at) != ',' && !isLineEnd()) {
          throw broken(line, "something follows the closing quote of a field: double its quotes");
        }
        return field.toString();
      }
    }
    throw broken(first, "a quote is opened here and never closed");
  }

  private boolean isLineEnd() {
    return text.charAt(at) == '\n' || text.charAt(at) == '\r';
  }

  private void endLine() {
    boolean two = text.startsWith("\r\n", at);
    at += two ? 2 : 1;
    line++;
  }

  private UnusableTemplateException broken(int where, String message) {
    return new UnusableTemplateException(file + " line " + where + ": " + message);
  }
}
