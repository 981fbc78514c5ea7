package org.streammigrator.checkpoint;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.streammigrator.finding.FindingCode;

/**
 * A metadata log file as text: a version line {@code v<number>} and what follows.
 *
 * <p>Rule from Spark's {@code HDFSMetadataLog}, {@code OffsetSeqLog} and {@code CommitLog} (4.2.0):
 * lines end at LF, CR or CRLF, a last line end adds no line, and the version line is {@code v}
 * followed by a positive number not above the newest version the reader knows.
 */
record LogText(String text, int version, List<String> lines) {
  private static final Pattern VERSION = Pattern.compile("v([0-9]{1,9})");

  /** Decodes UTF-8 and checks the version line. */
  static LogText parse(
      byte[] bytes, String what, int newestVersion, FindingCode empty, FindingCode corrupt)
      throws LogFormatException {
    if (bytes.length == 0) {
      throw new LogFormatException(
          empty, "the file has 0 bytes; Spark stops with \"Incomplete log file\"");
    }
    String text = decode(bytes, corrupt);
    List<String> lines = text.lines().toList();
    String first = lines.isEmpty() ? "" : lines.get(0);
    Matcher matcher = VERSION.matcher(first);
    if (!matcher.matches()) {
      throw new LogFormatException(
          corrupt,
          "the first line is "
              + quote(first)
              + " where Spark wants the log version, v1 to v"
              + newestVersion);
    }
    int version = Integer.parseInt(matcher.group(1));
    if (version == 0) {
      throw new LogFormatException(corrupt, "the log version is v0; versions start at v1");
    }
    if (version > newestVersion) {
      throw new LogFormatException(
          FindingCode.LOG_VERSION_UNSUPPORTED,
          "the "
              + what
              + " log has version v"
              + version
              + "; the newest known one is v"
              + newestVersion
              + " (Spark 4.2)");
    }
    return new LogText(text, version, lines);
  }

  static String decode(byte[] bytes, FindingCode corrupt) throws LogFormatException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException malformed) {
      throw new LogFormatException(corrupt, "the file is not UTF-8 text");
    }
  }

  /** A text shortened for a message. */
  static String quote(String text) {
    String printable = text.replaceAll("\\p{Cntrl}", "?");
    return "\"" + (printable.length() > 60 ? printable.substring(0, 60) + "…" : printable) + "\"";
  }
}
