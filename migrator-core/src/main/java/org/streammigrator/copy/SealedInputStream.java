package org.streammigrator.copy;

import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * Gives the bytes of an archive before its seal, and checks the seal at their end. Bytes where the
 * seal should be and that are none are given like the others.
 */
final class SealedInputStream extends InputStream {
  private final InputStream in;
  private final MessageDigest digest = Sha256.digest();
  private final byte[] buffer = new byte[(1 << 16) + ArchiveFormat.SEAL_LENGTH];
  private int start;
  private int end;
  private boolean ended;
  private Boolean intact;
  private String sha256;

  SealedInputStream(InputStream in) {
    this.in = in;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    while (!ended && end - start <= ArchiveFormat.SEAL_LENGTH) {
      fill();
    }
    int ready = ended ? end - start : end - start - ArchiveFormat.SEAL_LENGTH;
    if (ready == 0) {
      return -1;
    }
    int given = Math.min(length, ready);
    System.arraycopy(buffer, start, target, offset, given);
    start += given;
    return given;
  }

  /** Whether a seal stands at the end; asked at the end. */
  boolean hasSeal() {
    return intact != null;
  }

  /** Whether the seal is that of the bytes before it; asked at the end. */
  boolean isIntact() {
    return intact != null && intact;
  }

  /** SHA-256 of all bytes with the seal, as hexadecimal digits; asked at the end. */
  String sha256() {
    return sha256;
  }

  private void fill() throws IOException {
    System.arraycopy(buffer, start, buffer, 0, end - start);
    end -= start;
    start = 0;
    int read = in.read(buffer, end, buffer.length - end);
    if (read > 0) {
      end += read;
      // Only what can no longer be the seal is hashed, so that the seal is not part of its own sum.
      digest.update(buffer, 0, Math.max(0, end - ArchiveFormat.SEAL_LENGTH));
    } else if (read < 0) {
      finish();
    }
  }

  private void finish() {
    ended = true;
    byte[] seal = Arrays.copyOfRange(buffer, start, end);
    byte[] body = copyOf(digest).digest();
    digest.update(seal);
    sha256 = HexFormat.of().formatHex(digest.digest());
    if (ArchiveFormat.isSeal(seal)) {
      intact = Arrays.equals(seal, ArchiveFormat.seal(body));
      end = start;
    }
  }

  private static MessageDigest copyOf(MessageDigest digest) {
    try {
      return (MessageDigest) digest.clone();
    } catch (CloneNotSupportedException impossible) {
      throw new IllegalStateException("the platform's SHA-256 can be cloned", impossible);
    }
  }
}
