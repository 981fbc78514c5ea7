package org.streammigrator.databricks;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import org.streammigrator.storage.Location;

/** An answer of the Files API that is no success. */
final class FilesApiException extends IOException {
  private static final String NOT_EMPTY = "FILES_API_DIRECTORY_IS_NOT_EMPTY";

  private final transient Location place;
  private final int status;
  private final String code;
  private final String text;

  /**
   * An answer.
   *
   * @param status of HTTP
   * @param code the reason of the error's details, or its {@code error_code}; empty if it has none
   * @param text what the server says, without secrets
   */
  FilesApiException(Location place, int status, String code, String text) {
    super(place + ": " + said(status, code, text));
    this.place = place;
    this.status = status;
    this.code = code;
    this.text = text;
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
