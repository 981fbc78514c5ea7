package org.streammigrator.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** What the SDK throws, as the exceptions that the contract of {@link Store} names. */
final class S3Failures {
  /** The SDK quotes causes with the names of their classes. */
  private static final Pattern EXCEPTION_NAME =
      Pattern.compile("\\b(?:[a-z][a-z0-9]*\\.)+[A-Z][A-Za-z0-9]*(?:Exception|Error): ");

  private S3Failures() {}

  /** A range that begins at or beyond the end of the object. */
  static final class RangeException extends IOException {
    private RangeException(Location location) {
      super(location + " ends before the range");
    }
  }

  /** The answer to a request. */
  static <T> T translated(Location location, Supplier<T> request) throws IOException {
    try {
      return request.get();
    } catch (SdkException failure) {
      throw of(location, failure);
    }
  }

  static IOException of(Location location, SdkException failure) {
    IOException translated = translate(location, failure);
    translated.initCause(failure);
    return translated;
  }

  private static IOException translate(Location location, SdkException failure) {
    if (!(failure instanceof S3Exception answer)) {
      String message = String.valueOf(failure.getMessage());
      return new IOException(location + ": " + EXCEPTION_NAME.matcher(message).replaceAll(""));
    }
    return switch (answer.statusCode()) {
      case 404 ->
          "NoSuchBucket".equals(code(answer))
              ? new NoSuchFileException(location.toString(), null, "there is no such bucket")
              : new NoSuchFileException(location.toString());
      case 401, 403 -> new AccessDeniedException(location.toString(), null, code(answer));
      case 412 -> new FileAlreadyExistsException(location.toString());
      case 416 -> new RangeException(location);
      case 429, 503 ->
          new ThrottledException(
              location + ": S3 asks for fewer requests (" + code(answer) + ")", retryAfter(answer));
      default ->
          new IOException(location + ": S3 answered " + answer.statusCode() + " " + code(answer));
    };
  }

  private static Optional<Duration> retryAfter(S3Exception answer) {
    return Optional.ofNullable(answer.awsErrorDetails())
        .map(details -> details.sdkHttpResponse())
        .flatMap(response -> response.firstMatchingHeader("Retry-After"))
        .filter(seconds -> seconds.matches("[0-9]{1,6}"))
        .map(seconds -> Duration.ofSeconds(Long.parseLong(seconds)));
  }

  private static String code(S3Exception answer) {
    return answer.awsErrorDetails() == null || answer.awsErrorDetails().errorCode() == null
        ? "without saying why"
        : answer.awsErrorDetails().errorCode();
  }
}
