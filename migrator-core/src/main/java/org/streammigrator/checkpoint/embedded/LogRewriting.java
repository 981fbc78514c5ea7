package org.streammigrator.checkpoint.embedded;

import static java.util.Objects.requireNonNull;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/**
 * Rewrites the paths that a log file embeds, one line after the other.
 *
 * <p>Guarantees: nothing but the matched prefix of an embedded path changes, every other byte stays
 * as it is (order of keys, blanks, spelling of numbers, escapes, line ends); a line that is no
 * entry stays as it is; one line at a time is held in memory. The first line is the version.
 *
 * @param kind the kind of log
 * @param rules what moved
 */
public record LogRewriting(EmbeddedIn kind, PrefixMap rules) {
  private static final int BUFFER_BYTES = 1 << 16;

  public LogRewriting {
    requireNonNull(kind, "kind");
    requireNonNull(rules, "rules");
  }

  /**
   * Copies a file, rewritten; closes neither stream.
   *
   * @return what was found
   */
  public RewriteCounts rewrite(InputStream in, OutputStream out) throws IOException {
    OutputStream buffered = new BufferedOutputStream(out, BUFFER_BYTES);
    EntryRewriter rewriter = new EntryRewriter(kind, rules, buffered);
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    byte[] buffer = new byte[BUFFER_BYTES];
    boolean first = true;
    for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
      int start = 0;
      for (int i = 0; i < length; i++) {
        if (buffer[i] != '\n') {
          continue;
        }
        line.write(buffer, start, i + 1 - start);
        start = i + 1;
        if (first) {
          rewriter.keep(line.toByteArray());
        } else {
          rewriter.rewrite(line.toByteArray());
        }
        first = false;
        line.reset();
      }
      line.write(buffer, start, length - start);
    }
    if (first) {
      rewriter.keep(line.toByteArray());
    } else if (line.size() > 0) {
      rewriter.rewrite(line.toByteArray());
    }
    buffered.flush();
    return rewriter.counts();
  }
}
