package org.streammigrator.storage;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.core.sync.RequestBody;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.services.s3.model.CompletedPart;

/**
 * One object on its way up: in one request if it fits into a part, else in parts. Nothing is there
 * before {@link #complete}.
 *
 * <p>S3 makes the ETag of an object that it encrypts with its own keys, or not at all, of the MD5
 * of the bytes that it stored. Where the ETag is that of the bytes that were sent, the object is
 * verified; under a KMS key it is something else, and then it is not.
 */
final class S3Upload extends OutputStream {
  private static final int FIRST_BUFFER = 1 << 14;
  private static final int PART = 8 << 20;

  /** With at most 10,000 parts, those after the first thousand grow, up to the 5 TiB of S3. */
  private static final int PARTS_OF_ONE_SIZE = 1000;

  private final S3Client client;
  private final String bucket;
  private final Location file;
  private final String key;
  private final S3Encryption encryption;
  private final Optional<S3Shortcut> shortcut;
  private final List<CompletedPart> parts = new ArrayList<>();
  private final MessageDigest ofParts = md5();
  private byte[] buffer = new byte[FIRST_BUFFER];
  private int filled;
  private String upload;
  private boolean verified = true;

  S3Upload(
      S3Client client,
      String bucket,
      Location file,
      String key,
      S3Encryption encryption,
      Optional<S3Shortcut> shortcut) {
    this.shortcut = shortcut;
    this.client = client;
    this.bucket = bucket;
    this.file = file;
    this.key = key;
    this.encryption = encryption;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    int at = offset;
    int left = length;
    while (left > 0) {
      int size = partSize();
      if (filled == size) {
        uploadPart();
        continue;
      }
      if (filled == buffer.length) {
        buffer = Arrays.copyOf(buffer, Math.min(size, buffer.length * 2));
      }
      int taken = Math.min(left, Math.min(buffer.length, size) - filled);
      System.arraycopy(bytes, at, buffer, filled, taken);
      filled += taken;
      at += taken;
      left -= taken;
    }
  }

  private int partSize() {
    return PART * (1 + parts.size() / PARTS_OF_ONE_SIZE);
  }

  private void uploadPart() throws IOException {
    if (upload == null) {
      upload =
          S3Failures.translated(
                  file,
                  () ->
                      client.createMultipartUpload(
                          r -> {
                            r.bucket(bucket).key(key);
                            encryption.apply(r);
                          }))
              .uploadId();
    }
    int number = parts.size() + 1;
    byte[] digest = md5(buffer, filled);
    String tag =
        S3Failures.translated(
                file,
                () ->
                    client.uploadPart(
                        r -> r.bucket(bucket).key(key).uploadId(upload).partNumber(number), body()))
            .eTag();
    ofParts.update(digest);
    verified &= isDigest(tag, HexFormat.of().formatHex(digest));
    parts.add(CompletedPart.builder().partNumber(number).eTag(tag).build());
    filled = 0;
  }

  private RequestBody body() {
    return RequestBody.fromRemainingByteBuffer(ByteBuffer.wrap(buffer, 0, filled));
  }

  /** Makes the object be there, unless one is there already. */
  Receipt complete() throws IOException {
    if (upload == null) {
      byte[] digest = md5(buffer, filled);
      Optional<String> sent = shortcut.flatMap(to -> to.put(key, buffer, filled, digest));
      String tag = sent.isPresent() ? sent.get() : put();
      return new Receipt(Optional.of(tag), isDigest(tag, HexFormat.of().formatHex(digest)));
    }
    if (filled > 0) {
      uploadPart();
    }
    String tag =
        S3Failures.translated(
                file,
                () ->
                    client.completeMultipartUpload(
                        r ->
                            r.bucket(bucket)
                                .key(key)
                                .uploadId(upload)
                                .ifNoneMatch("*")
                                .multipartUpload(m -> m.parts(parts))))
            .eTag();
    String expected = HexFormat.of().formatHex(ofParts.digest()) + "-" + parts.size();
    return new Receipt(Optional.of(tag), verified && isDigest(tag, expected));
  }

  private String put() throws IOException {
    return S3Failures.translated(
            file,
            () ->
                client.putObject(
                    r -> {
                      r.bucket(bucket).key(key).ifNoneMatch("*");
                      encryption.apply(r);
                    },
                    body()))
        .eTag();
  }

  /** Gives up the parts that are there. */
  void abort() {
    if (upload == null) {
      return;
    }
    try {
      client.abortMultipartUpload(r -> r.bucket(bucket).key(key).uploadId(upload));
    } catch (SdkException left) {
      // The bucket's own rules for incomplete uploads remove them.
    }
  }

  private static boolean isDigest(String tag, String digest) {
    return tag != null && tag.replace("\"", "").equals(digest);
  }

  private static byte[] md5(byte[] bytes, int length) {
    MessageDigest digest = md5();
    digest.update(bytes, 0, length);
    return digest.digest();
  }

  private static MessageDigest md5() {
    try {
      return MessageDigest.getInstance("MD5");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
