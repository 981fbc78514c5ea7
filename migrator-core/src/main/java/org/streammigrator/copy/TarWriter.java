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
  private static final byte[] NOTHING = new byte[BLOCK];
  private static final byte[] MAGIC = "ustar\00000".getBytes(US_ASCII);

  private final OutputStream out;
  private final byte[] header = new byte[BLOCK];
  private long left;
  private int padding;

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
    out.write(NOTHING, 0, padding);
  }

  /** Ends the tar; does not close the stream. */
  void finish() throws IOException {
    out.write(new byte[2 * BLOCK]);
    out.flush();
  }

  private void begin(String name, char type, int mode, long size, Instant modified)
      throws IOException {
    byte[] bytes = name.getBytes(UTF_8);
    boolean plainName = bytes.length <= MAX_NAME && isAscii(bytes);
    long seconds = modified.getEpochSecond();
    boolean plainTime = modified.getNano() == 0 && seconds >= 0 && seconds <= MAX_OCTAL;
    if (!plainName || !plainTime || size > MAX_OCTAL) {
      ByteArrayOutputStream records = new ByteArrayOutputStream(64);
      if (!plainName) {
        addRecord(records, "path", name);
      }
      if (size > MAX_OCTAL) {
        addRecord(records, "size", Long.toString(size));
      }
      if (!plainTime) {
        addRecord(records, "mtime", decimal(modified));
      }
      writeHeader(ascii("PaxHeaders/" + name), PAX, 0644, records.size(), 0);
      records.writeTo(out);
      out.write(NOTHING, 0, padding(records.size()));
    }
    writeHeader(
        plainName ? bytes : ascii(name),
        type,
        mode,
        size > MAX_OCTAL ? 0 : size,
        Math.max(0, Math.min(MAX_OCTAL, seconds)));
    left = size;
    padding = padding(size);
  }

  private static boolean isAscii(byte[] bytes) {
    for (byte value : bytes) {
      if (value < 0) {
        return false;
      }
    }
    return true;
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
    if (time.getEpochSecond() >= 0 && time.getNano() > 0) {
      String nanos = Integer.toString(1_000_000_000 + time.getNano());
      int end = nanos.length();
      while (nanos.charAt(end - 1) == '0') {
        end--;
      }
      return time.getEpochSecond() + "." + nanos.substring(1, end);
    }
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
    Arrays.fill(header, (byte) 0);
    System.arraycopy(name, 0, header, 0, name.length);
    octal(100, 8, mode);
    octal(108, 8, 0);
    octal(116, 8, 0);
    octal(124, 12, size);
    octal(136, 12, seconds);
    Arrays.fill(header, 148, 156, (byte) ' ');
    header[156] = (byte) type;
    System.arraycopy(MAGIC, 0, header, 257, MAGIC.length);
    octal(329, 8, 0);
    octal(337, 8, 0);
    int sum = 0;
    for (byte value : header) {
      sum += value & 0xff;
    }
    octal(148, 7, sum);
    header[154] = 0;
    out.write(header, 0, BLOCK);
  }

  /** Digits, filled up with zeros, and a NUL character, which is there. */
  private void octal(int offset, int length, long value) {
    long rest = value;
    for (int at = offset + length - 2; at >= offset; at--) {
      header[at] = (byte) ('0' + (rest & 7));
      rest >>>= 3;
    }
  }
}
