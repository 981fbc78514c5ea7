package org.streammigrator.copy;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.Arrays;

/**
 * Writes a tar as POSIX.1-2001 (PAX) has it, with nothing in it that depends on the machine: names
 * and times of any sort are in PAX records, owners are nobody. The library's writer cuts times to
 * 100 nanoseconds, and its bytes may change with its version.
 */
final class TarWriter {
  private static final int BLOCK = 512;
  private static final int MAX_NAME = 100;
  private static final long MAX_OCTAL = 077777777777L;
  private static final char FILE = '0';
  private static final char DIRECTORY = '5';
  private static final char PAX = 'x';

  private final OutputStream out;
  private long left;
  private long padding;

  TarWriter(OutputStream out) {
    this.out = out;
  }

  /** Begins a file; exactly {@code size} bytes follow by {@link #write}. */
  void beginFile(String name, long size, Instant modified) throws IOException {
    begin(name, FILE, 0644, size, modified);
  }

  /** Adds a directory. */
  void directory(String name) throws IOException {
    begin(name + "/", DIRECTORY, 0755, 0, Instant.EPOCH);
    end();
  }

  /** Writes bytes of the file that was begun. */
  void write(byte[] buffer, int offset, int length) throws IOException {
    if (length > left) {
      throw new IOException("more bytes than the file was begun with");
    }
    out.write(buffer, offset, length);
    left -= length;
  }

  /** Ends the file that was begun. */
  void end() throws IOException {
    if (left != 0) {
      throw new IOException(left + " bytes fewer than the file was begun with");
    }
    out.write(new byte[(int) padding]);
  }

  /** Ends the tar; does not close the stream. */
  void finish() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }

  private void begin(String name, char type, int mode, long size, Instant modified)
      throws IOException {
    byte[] bytes = name.getBytes(UTF_8);
    ByteArrayOutputStream records = new ByteArrayOutputStream();
    boolean plainName = bytes.length <= MAX_NAME && US_ASCII.newEncoder().canEncode(name);
    if (!plainName) {
      addRecord(records, "path", name);
    }
    if (size > MAX_OCTAL) {
      addRecord(records, "size", Long.toString(size));
    }
    long seconds = modified.getEpochSecond();
    boolean plainTime = modified.getNano() == 0 && seconds >= 0 && seconds <= MAX_OCTAL;
    if (!plainTime) {
      addRecord(records, "mtime", decimal(modified));
    }
    byte[] shortName = plainName ? bytes : ascii(name);
    if (records.size() > 0) {
      byte[] paxName = ascii("PaxHeaders/" + name);
      writeHeader(paxName, PAX, 0644, records.size(), 0);
      records.writeTo(out);
      out.write(new byte[padding(records.size())]);
    }
    writeHeader(
        shortName,
        type,
        mode,
        size > MAX_OCTAL ? 0 : size,
        Math.max(0, Math.min(MAX_OCTAL, seconds)));
    left = size;
    padding = padding(size);
  }

  /** Bytes that fill the last block of so many. */
  static int padding(long size) {
    return (int) (-size & (BLOCK - 1));
  }

  /** A stand-in for readers that know no PAX. */
  private static byte[] ascii(String name) {
    byte[] bytes = name.getBytes(US_ASCII);
    return Arrays.copyOf(bytes, Math.min(bytes.length, MAX_NAME));
  }

  private static String decimal(Instant time) {
    return BigDecimal.valueOf(time.getEpochSecond())
        .add(BigDecimal.valueOf(time.getNano(), 9))
        .stripTrailingZeros()
        .toPlainString();
  }

  /** A record begins with its own length, the digits of that number included. */
  private static void addRecord(ByteArrayOutputStream records, String key, String value) {
    byte[] body = (" " + key + "=" + value + "\n").getBytes(UTF_8);
    int length = body.length;
    int digits = 1;
    while (Integer.toString(length + digits).length() != digits) {
      digits++;
    }
    records.writeBytes(Integer.toString(length + digits).getBytes(US_ASCII));
    records.writeBytes(body);
  }

  private void writeHeader(byte[] name, char type, int mode, long size, long seconds)
      throws IOException {
    byte[] header = new byte[BLOCK];
    System.arraycopy(name, 0, header, 0, name.length);
    octal(header, 100, 8, mode);
    octal(header, 108, 8, 0);
    octal(header, 116, 8, 0);
    octal(header, 124, 12, size);
    octal(header, 136, 12, seconds);
    Arrays.fill(header, 148, 156, (byte) ' ');
    header[156] = (byte) type;
    put(header, 257, "ustar\00000");
    octal(header, 329, 8, 0);
    octal(header, 337, 8, 0);
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    octal(header, 148, 7, sum);
    header[154] = 0;
    out.write(header);
  }

  private static void octal(byte[] header, int offset, int length, long value) {
    String digits = Long.toOctalString(value);
    put(header, offset, "0".repeat(length - 1 - digits.length()) + digits);
  }

  private static void put(byte[] header, int offset, String text) {
    byte[] bytes = text.getBytes(US_ASCII);
    System.arraycopy(bytes, 0, header, offset, bytes.length);
  }
}
