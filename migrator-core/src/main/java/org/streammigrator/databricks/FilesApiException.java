package org.streammigrator.databricks;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Optional;
import org.streammigrator.storage.Location;
import org.streammigrator.storage.ThrottledException;

/** An answer of the Files API that is no success. */
final class FilesApiException extends IOException {
  private static final String NOT_EMPTY = "FILES_API_DIRECTORY_IS_NOT_EMPTY";

  private final transient Location place;
  private final int status;
  private final String code;
  private final String text;
  private final transient Optional<Duration> retryAfter;

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param code the reason of the error's details, or its {@code error_code}; empty if it has none
   * @param text what the server says, without secrets
   */
  FilesApiException(Location place, int status, String code, String text) {
    this(place, status, code, text, Optional.empty());
  }

  /** An answer that asks to wait. */
  FilesApiException(
      Location place, int status, String code, String text, Optional<Duration> retryAfter) {
    super(place + ": " + said(status, code, text));
    this.place = place;
    this.status = status;
    this.code = code;
    this.text = text;
    this.retryAfter = retryAfter;
  }

  private static String said(int status, String code, String text) {
    if (status == 200) {
      return text;
    }
    return "Databricks answered "
        + status
        + (code.isEmpty() ? "" : " " + code)
        + (text.isEmpty() ? "" : ": " + text);
  }

  int status() {
    return status;
  }

  /** The time that the server asks to wait. */
  Optional<Duration> retryAfter() {
    return retryAfter;
  }

  /** The exception of {@code java.nio.file} that says the same, where there is one. */
  IOException translated() {
    IOException same =
        switch (status) {
          case 401 ->
              new AccessDeniedException(
                  place.toString(),
                  null,
                  "the workspace does not accept the credentials, " + said(status, code, text));
          case 403 -> new AccessDeniedException(place.toString(), null, said(status, code, text));
          case 404 -> new NoSuchFileException(place.toString());
          case 409 -> new FileAlreadyExistsException(place.toString());
          case 412 -> new IOException(place + " has changed while it was read");
          case 429, 503 -> new ThrottledException(getMessage(), retryAfter);
          case 301, 302, 303, 307, 308 ->
              new IOException(
                  place
                      + ": the host answers with another address, as a login page does; is it the"
                      + " URL of a Databricks workspace?");
          case 400 ->
              code.equals(NOT_EMPTY) ? new DirectoryNotEmptyException(place.toString()) : this;
          default -> this;
        };
    if (same != this) {
      same.initCause(this);
    }
    return same;
  }
}
