package org.streammigrator.storage;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CreateMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.ServerSideEncryption;

/**
 * What {@code fs.s3a.encryption.*} asks of a written object.
 *
 * @param algorithm empty to leave it to the bucket
 * @param key the KMS key
 */
record S3Encryption(Optional<ServerSideEncryption> algorithm, Optional<String> key) {

  /**
   * Reads the settings.
   *
   * @throws IOException if they ask for keys of the client, which this program does not handle
   */
  static S3Encryption of(Configuration configuration) throws IOException {
    String algorithm = configuration.getTrimmed("fs.s3a.encryption.algorithm", "");
    Optional<String> key =
        Optional.of(configuration.getTrimmed("fs.s3a.encryption.key", ""))
            .filter(text -> !text.isEmpty());
    return switch (algorithm) {
      case "" -> new S3Encryption(Optional.empty(), Optional.empty());
      case "AES256", "SSE-S3" ->
          new S3Encryption(Optional.of(ServerSideEncryption.AES256), Optional.empty());
      case "SSE-KMS" -> new S3Encryption(Optional.of(ServerSideEncryption.AWS_KMS), key);
      case "DSSE-KMS" -> new S3Encryption(Optional.of(ServerSideEncryption.AWS_KMS_DSSE), key);
      default ->
          throw new IOException(
              "fs.s3a.encryption.algorithm "
                  + algorithm
                  + " needs keys of the client, which is not supported; AES256, SSE-KMS and DSSE-KMS"
                  + " are");
    };
  }

  /** The same as headers of a request. */
  Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>();
    algorithm.ifPresent(name -> headers.put("x-amz-server-side-encryption", name.toString()));
    key.ifPresent(id -> headers.put("x-amz-server-side-encryption-aws-kms-key-id", id));
    return headers;
  }

  void apply(PutObjectRequest.Builder request) {
    algorithm.ifPresent(request::serverSideEncryption);
    key.ifPresent(request::ssekmsKeyId);
  }

  void apply(CreateMultipartUploadRequest.Builder request) {
    algorithm.ifPresent(request::serverSideEncryption);
    key.ifPresent(request::ssekmsKeyId);
  }

  void apply(CopyObjectRequest.Builder request) {
    algorithm.ifPresent(request::serverSideEncryption);
    key.ifPresent(request::ssekmsKeyId);
  }
}
