package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import org.streammigrator.copy.Damage.Kind;

/**
 * Reads the tar that {@link TarWriter} writes out of frames, and nothing else: what it would not
 * write is damage.
 */
final class FramedTar {
  private static final int BLOCK = 512;
  private static final int LARGEST_RECORDS = 1 << 20;
  private static final byte[] MAGIC = "ustar\00000".getBytes(US_ASCII);

  /** Gives one frame's content after the other; null after the last one. */
  interface Frames {
    byte[] next() throws IOException;
  }

  /** A tar entry; its content is what comes next. */
  record Entry(String name, byte type, long size, Instant modified) {
    boolean directory() {
      return type == '5';
    }

    /** Whether it is a link, a device or the like. */
    boolean isOdd() {
      return type != '0' && type != '5';
    }
  }

  private final Frames frames;
  private byte[] frame = new byte[0];
  private int at;

  FramedTar(Frames frames) {
    this.frames = frames;
  }

  /** A tar in one piece. */
  static FramedTar of(byte[] content) {
    FramedTar tar = new FramedTar(() -> null);
    tar.frame = content;
    return tar;
  }

  /** The frame that the content of the current entry begins in. */
  byte[] frame() {
    return frame;
  }

  /** Where in the frame the next byte is. */
  int position() {
    return at;
  }

  /** Whether so many bytes lie in the current frame. */
  boolean isInFrame(long bytes) {
    return bytes <= frame.length - at;
  }

  /** The next entry; null at the end of the tar. */
  Entry next() throws IOException {
    String path = null;
    Long size = null;
    Instant modified = null;
    byte[] header = block();
    if (header[156] == 'x') {
      long length = octal(header, 124, 12);
      checkHeader(header);
      if (length > LARGEST_RECORDS) {
        throw damaged("a header is larger than any real one");
      }
      byte[] records = take((int) length);
      skip(TarWriter.padding(length));
      for (int start = 0; start < records.length; ) {
        int blank = start;
        while (blank < records.length && records[blank] != ' ') {
          blank++;
        }
        int end = start + (int) decimal(records, start, blank);
        if (end <= blank + 2 || end > records.length || records[end - 1] != '\n') {
          throw damaged("a record has a wrong length");
        }
        String record = new String(records, blank + 1, end - blank - 2, UTF_8);
        int equals = record.indexOf('=');
        String value = record.substring(equals + 1);
        switch (record.substring(0, Math.max(0, equals))) {
          case "path" -> path = value;
          case "size" -> size = decimal(value.getBytes(US_ASCII), 0, value.length());
          case "mtime" -> modified = instant(value);
          default -> throw damaged("a record of another sort than are written");
        }
        start = end;
      }
      header = block();
    }
    if (isZero(header)) {
      if (path != null || size != null || modified != null || !isZero(block())) {
        throw damaged("its end is damaged");
      }
      return null;
    }
    checkHeader(header);
    return new Entry(
        path != null ? path : name(header),
        header[156],
        size != null ? size : octal(header, 124, 12),
        modified != null ? modified : Instant.ofEpochSecond(octal(header, 136, 12)));
  }

  /** The content of the current entry, to be read to its end. */
  InputStream content(long size) {
    return new InputStream() {
      private long left = size;

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        if (left == 0 || length == 0) {
          return length == 0 ? 0 : -1;
        }
        fill();
        int given = (int) Math.min(Math.min(length, left), frame.length - at);
        System.arraycopy(frame, at, target, offset, given);
        at += given;
        left -= given;
        return given;
      }
    };
  }

  /** Passes over bytes. */
  void skip(long bytes) throws IOException {
    for (long left = bytes; left > 0; ) {
      fill();
      int passed = (int) Math.min(left, frame.length - at);
      at += passed;
      left -= passed;
    }
  }

  /** Bytes of this frame and those after it that were not asked for. */
  boolean hasMore() throws IOException {
    while (at == frame.length) {
      frame = frames.next();
      at = 0;
      if (frame == null) {
        frame = new byte[0];
        return false;
      }
    }
    return true;
  }

  private void fill() throws IOException {
    if (!hasMore()) {
      throw new BrokenArchiveException(Kind.TRUNCATED, "the tar ends too early");
    }
  }

  private byte[] block() throws IOException {
    return take(BLOCK);
  }

  private byte[] take(int length) throws IOException {
    byte[] bytes = new byte[length];
    for (int filled = 0; filled < length; ) {
      fill();
      int given = Math.min(length - filled, frame.length - at);
      System.arraycopy(frame, at, bytes, filled, given);
      at += given;
      filled += given;
    }
    return bytes;
  }

  private static void checkHeader(byte[] header) throws BrokenArchiveException {
    int sum = 8 * ' ';
    for (int i = 0; i < 148; i++) {
      sum += header[i] & 0xff;
    }
    for (int i = 156; i < BLOCK; i++) {
      sum += header[i] & 0xff;
    }
    if (sum != octal(header, 148, 7) || !Arrays.equals(header, 257, 265, MAGIC, 0, 8)) {
      throw damaged("its checksum");
    }
  }

  private static boolean isZero(byte[] block) {
    for (byte value : block) {
      if (value != 0) {
        return false;
      }
    }
    return true;
  }

  private static String name(byte[] header) {
    int length = 0;
    while (length < 100 && header[length] != 0) {
      length++;
    }
    return new String(header, 0, length, UTF_8);
  }

  /** Digits up to a NUL character. */
  private static long octal(byte[] header, int offset, int length) throws BrokenArchiveException {
    long value = 0;
    for (int i = offset; i < offset + length - 1; i++) {
      int digit = header[i] - '0';
      if (digit < 0 || digit > 7) {
        throw damaged("a number in it");
      }
      value = value * 8 + digit;
    }
    return value;
  }

  private static long decimal(byte[] bytes, int start, int end) throws BrokenArchiveException {
    if (end == start || end - start > 18) {
      throw damaged("a number in it");
    }
    long value = 0;
    for (int i = start; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        throw damaged("a number in it");
      }
      value = value * 10 + digit;
    }
    return value;
  }

  private static Instant instant(String text) throws BrokenArchiveException {
    int point = text.indexOf('.');
    int decimals = text.length() - point - 1;
    if (point > 0 && point < 12 && decimals > 0 && decimals <= 9 && isDigits(text, point)) {
      long fraction = Long.parseLong(text.substring(point + 1));
      for (int digits = decimals; digits < 9; digits++) {
        fraction *= 10;
      }
      return Instant.ofEpochSecond(Long.parseLong(text.substring(0, point)), fraction);
    }
    try {
      BigDecimal time = new BigDecimal(text);
      if (time.precision() > 40 || Math.abs(time.scale()) > 40) {
        throw damaged("a time in it");
      }
      BigInteger nanos = time.movePointRight(9).toBigIntegerExact();
      BigInteger[] parts = nanos.divideAndRemainder(BigInteger.valueOf(1_000_000_000));
      return Instant.ofEpochSecond(parts[0].longValueExact(), parts[1].longValueExact());
    } catch (ArithmeticException | NumberFormatException | DateTimeException invalid) {
      throw damaged("a time in it");
    }
  }

  /** Whether there is nothing but digits around the point. */
  private static boolean isDigits(String text, int point) {
    for (int at = 0; at < text.length(); at++) {
      if (at != point && (text.charAt(at) < '0' || text.charAt(at) > '9')) {
        return false;
      }
    }
    return true;
  }

  private static BrokenArchiveException damaged(String what) {
    return new BrokenArchiveException(
        Kind.UNREADABLE, "a header of the tar is damaged (" + what + ")");
  }
}
