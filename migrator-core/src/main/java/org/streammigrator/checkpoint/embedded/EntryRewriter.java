package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rewrites the lines of one file and counts. */
final class EntryRewriter {
  private static final JsonFactory JSON = new JsonFactory();

  private final EmbeddedIn kind;
  private final PrefixMap.Lookup rules;
  private final OutputStream out;
  private long entries;
  private long rewritten;
  private long uncovered;
  private long unreadable;
  private long bytes;
  private RewriteCounts.Sample sample;
  private String firstUncovered;

  EntryRewriter(EmbeddedIn kind, PrefixMap rules, OutputStream out) {
    this.kind = requireNonNull(kind, "kind");
    this.rules = new PrefixMap.Lookup(rules, kind.form());
    this.out = requireNonNull(out, "out");
  }

  /**
   * A path in a line.
   *
   * @param text the path
   * @param start where its text starts in the line, after the quote
   * @param end where its text ends in the line, before the quote
   */
  private record Found(String text, int start, int end) {}

  /** Writes a line as it is. */
  void keep(byte[] line) throws IOException {
    out.write(line);
    bytes += line.length;
  }

  /** Writes a line with its paths rewritten; its line end is the last of its bytes. */
  void rewrite(byte[] line) throws IOException {
    Optional<List<Found>> paths = paths(line);
    if (paths.isEmpty() || (paths.get().isEmpty() && kind == EmbeddedIn.FILE_LOG)) {
      unreadable++;
      keep(line);
      return;
    }
    ByteArrayOutputStream changed = new ByteArrayOutputStream(line.length + 128);
    int written = 0;
    for (Found path : paths.get()) {
      entries++;
      Optional<PrefixMap.Match> match = rules.find(path.text());
      if (match.isEmpty()) {
        uncovered++;
        firstUncovered = firstUncovered == null ? path.text() : firstUncovered;
      } else if (match.get().prefix().isPresent()) {
        String prefix = match.get().prefix().get();
        int kept = slash(line, path, match.get().slashes());
        changed.write(line, written, path.start() - written);
        changed.writeBytes(JsonStringEncoder.getInstance().quoteAsUTF8(prefix));
        written = kept;
        rewritten++;
        if (sample == null) {
          sample = new RewriteCounts.Sample(path.text(), match.get().apply(path.text()));
        }
      }
    }
    changed.write(line, written, line.length - written);
    keep(changed.toByteArray());
  }

  /** What was found so far. */
  RewriteCounts counts() {
    return new RewriteCounts(
        entries,
        rewritten,
        uncovered,
        unreadable,
        bytes,
        Optional.ofNullable(sample),
        Optional.ofNullable(firstUncovered));
  }

  /** The paths in a line; empty if the line is no JSON object. */
  private Optional<List<Found>> paths(byte[] line) {
    List<Found> paths = new ArrayList<>(1);
    try (JsonParser parser = JSON.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return Optional.empty();
      }
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        if (token == null) {
          return Optional.empty();
        }
        if (token.isStructStart()) {
          depth++;
        } else if (token.isStructEnd()) {
          depth--;
        } else if (token == JsonToken.VALUE_STRING && kind.embeds(parser, depth)) {
          String text = parser.getText();
          paths.add(
              new Found(
                  text,
                  (int) parser.currentTokenLocation().getByteOffset() + 1,
                  (int) parser.currentLocation().getByteOffset() - 1));
        }
      }
      return parser.nextToken() == null ? Optional.of(paths) : Optional.empty();
    } catch (IOException notJson) {
      return Optional.empty();
    }
  }

  /** Where the slash with the given number, from 0, stands in a line; the path's end if nowhere. */
  private static int slash(byte[] line, Found path, int number) {
    int left = number;
    for (int i = path.start(); i < path.end(); i++) {
      int length = 1;
      boolean slash = line[i] == '/';
      if (line[i] == '\\') {
        length = line[i + 1] == 'u' ? 6 : 2;
        String escape = new String(line, i, length, StandardCharsets.US_ASCII);
        slash = escape.equals("\\/") || escape.equalsIgnoreCase("\\u002f");
      }
      if (slash && left-- == 0) {
        return i;
      }
      i += length - 1;
    }
    return path.end();
  }
}
