package org.streammigrator.storage;

import static java.util.Objects.requireNonNull;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.S3AFileSystem;
import org.apache.hadoop.fs.s3a.impl.AWSClientConfig;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ContentStreamProvider;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpMethod;
import software.amazon.awssdk.http.SdkHttpRequest;
import software.amazon.awssdk.http.auth.aws.signer.AwsV4HttpSigner;
import software.amazon.awssdk.http.auth.spi.signer.SignedRequest;
import software.amazon.awssdk.services.s3.S3Client;
import software.amazon.awssdk.utils.http.SdkHttpUtils;

/**
 * The two requests of which a copy of small files is made, signed by the SDK's signer and sent by
 * its HTTP client, without the stages that its client puts around every request: those take several
 * times as long as the rest.
 *
 * <p>It saves work, and nothing depends on it: what is not answered with success is left to the
 * SDK's client, which tries again, goes to other regions and knows every error. When it is of no
 * use at a bucket it stops trying.
 */
final class S3Shortcut {
  private static final int USELESS = 8;

  /** Settings that change requests in a way that is not repeated here. */
  private static final List<String> UNKNOWN =
      List.of(
          "fs.s3a.accesspoint.arn",
          "fs.s3a.client.s3.custom.headers",
          "fs.s3a.custom.signers",
          "fs.s3a.s3.client.factory.impl",
          "fs.s3a.s3.signing-algorithm",
          "fs.s3a.signing-algorithm");

  private static final List<String> UNKNOWN_SWITCHES =
      List.of(
          "fs.s3a.endpoint.fips", "fs.s3a.http.signer.enabled", "fs.s3a.requester.pays.enabled");

  private final SdkHttpClient http;
  private final AwsV4HttpSigner signer = AwsV4HttpSigner.create();
  private final AwsCredentialsProvider credentials;
  private final String region;
  private final URI base;
  private final Map<String, String> writing;
  private final AtomicInteger failures = new AtomicInteger();

  private S3Shortcut(
      SdkHttpClient http,
      AwsCredentialsProvider credentials,
      String region,
      URI base,
      Map<String, String> writing) {
    this.http = requireNonNull(http, "http");
    this.credentials = requireNonNull(credentials, "credentials");
    this.region = requireNonNull(region, "region");
    this.base = requireNonNull(base, "base");
    this.writing = Map.copyOf(writing);
  }

  /**
   * The shortcut to a bucket; empty if its settings ask for what is not done here.
   *
   * @param client the SDK's client, which knows where the bucket is
   * @param encryption what is asked of what is written
   */
  static Optional<S3Shortcut> of(
      S3AFileSystem s3a, S3Client client, String bucket, S3Encryption encryption)
      throws IOException {
    Configuration settings = s3a.getConf();
    boolean known =
        UNKNOWN.stream().allMatch(name -> settings.getTrimmed(name, "").isEmpty())
            && UNKNOWN_SWITCHES.stream().noneMatch(name -> settings.getBoolean(name, false))
            && !bucket.endsWith("--x-s3");
    if (!known) {
      return Optional.empty();
    }
    SdkHttpClient http =
        AWSClientConfig.createHttpClientBuilder(settings)
            .proxyConfiguration(AWSClientConfig.createProxyConfiguration(settings, bucket))
            .build();
    return Optional.of(
        new S3Shortcut(
            http,
            s3a.getS3AInternals().shareCredentials("migrator"),
            client.serviceClientConfiguration().region().id(),
            URI.create(client.utilities().getUrl(r -> r.bucket(bucket).key("k")).toString()),
            encryption.headers()));
  }

  /**
   * Makes an object, unless there is one.
   *
   * @param md5 of the bytes; the server compares them
   * @return the object's ETag; empty if it is not known whether it is there
   */
  Optional<String> put(String key, byte[] bytes, int length, byte[] md5) {
    if (isUseless()) {
      return Optional.empty();
    }
    SdkHttpRequest.Builder request =
        request(SdkHttpMethod.PUT, key)
            .putHeader("Content-Length", Integer.toString(length))
            .putHeader("Content-MD5", Base64.getEncoder().encodeToString(md5))
            .putHeader("Content-Type", "application/octet-stream")
            .putHeader("If-None-Match", "*");
    writing.forEach(request::putHeader);
    try {
      HttpExecuteResponse response =
          send(request.build(), () -> new ByteArrayInputStream(bytes, 0, length));
      drain(response);
      int status = response.httpResponse().statusCode();
      count(status == 200 || status == 412);
      return status == 200 ? response.httpResponse().firstMatchingHeader("ETag") : Optional.empty();
    } catch (IOException | SdkException failure) {
      count(false);
      return Optional.empty();
    }
  }

  /** The bytes of an object; empty if they could not be had. */
  Optional<byte[]> get(String key) {
    if (isUseless()) {
      return Optional.empty();
    }
    try {
      HttpExecuteResponse response = send(request(SdkHttpMethod.GET, key).build(), null);
      int status = response.httpResponse().statusCode();
      count(status == 200 || status == 404);
      if (status != 200 || response.responseBody().isEmpty()) {
        drain(response);
        return Optional.empty();
      }
      try (AbortableInputStream body = response.responseBody().get()) {
        byte[] bytes = body.readAllBytes();
        boolean whole =
            response
                .httpResponse()
                .firstMatchingHeader("Content-Length")
                .filter(Integer.toString(bytes.length)::equals)
                .isPresent();
        return whole ? Optional.of(bytes) : Optional.empty();
      }
    } catch (IOException | SdkException failure) {
      count(false);
      return Optional.empty();
    }
  }

  private SdkHttpRequest.Builder request(SdkHttpMethod method, String key) {
    String place = base.getRawPath();
    return SdkHttpRequest.builder()
        .method(method)
        .protocol(base.getScheme())
        .host(base.getHost())
        .port(base.getPort() < 0 ? null : base.getPort())
        .encodedPath(
            place.substring(0, place.length() - 1) + SdkHttpUtils.urlEncodeIgnoreSlashes(key));
  }

  private HttpExecuteResponse send(SdkHttpRequest request, ContentStreamProvider content)
      throws IOException {
    AwsCredentials known = credentials.resolveCredentials();
    if (known.accessKeyId() == null) {
      throw new IOException("without a name nothing is signed");
    }
    SignedRequest signed =
        signer.sign(
            r ->
                r.identity(known)
                    .request(request)
                    .payload(content)
                    .putProperty(AwsV4HttpSigner.SERVICE_SIGNING_NAME, "s3")
                    .putProperty(AwsV4HttpSigner.REGION_NAME, region)
                    .putProperty(AwsV4HttpSigner.DOUBLE_URL_ENCODE, false)
                    .putProperty(AwsV4HttpSigner.NORMALIZE_PATH, false)
                    .putProperty(AwsV4HttpSigner.CHUNK_ENCODING_ENABLED, false)
                    // What TLS protects need not be hashed once more.
                    .putProperty(
                        AwsV4HttpSigner.PAYLOAD_SIGNING_ENABLED,
                        !request.protocol().equals("https")));
    HttpExecuteRequest.Builder execute = HttpExecuteRequest.builder().request(signed.request());
    signed.payload().ifPresent(execute::contentStreamProvider);
    return http.prepareRequest(execute.build()).call();
  }

  private static void drain(HttpExecuteResponse response) throws IOException {
    if (response.responseBody().isPresent()) {
      try (InputStream body = response.responseBody().get()) {
        body.readAllBytes();
      }
    }
  }

  private boolean isUseless() {
    return failures.get() >= USELESS;
  }

  /** An answer makes up for failures: only where none comes the bucket is given up. */
  private void count(boolean answered) {
    if (!answered) {
      failures.incrementAndGet();
    } else if (failures.get() > 0) {
      failures.set(0);
    }
  }
}
