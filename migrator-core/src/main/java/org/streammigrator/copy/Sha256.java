package org.streammigrator.copy;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** SHA-256, as every manifest uses it. */
final class Sha256 {
  private static final ThreadLocal<MessageDigest> DIGESTS = ThreadLocal.withInitial(Sha256::digest);

  private Sha256() {}

  static MessageDigest digest() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }

  /** Ends the digest. */
  static String hex(MessageDigest digest) {
    return HexFormat.of().formatHex(digest.digest());
  }

  /** The checksum of some bytes. */
  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(DIGESTS.get().digest(bytes));
  }

  /** Whether a text can be a checksum: 64 lower-case hexadecimal digits. */
  static boolean isHex(String text) {
    return text.length() == 64
        && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
  }
}
