package org.streammigrator.cli;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.streammigrator.migration.LockedException;
import org.streammigrator.storage.UnservedPlaceException;

/** Turns exceptions into the one sentence that a user can act on. */
final class Failures {
  private Failures() {}

  static String describe(Throwable failure) {
    if (failure instanceof AccessDeniedException denied) {
      return "no permission for "
          + denied.getFile()
          + reason(denied)
          + "; give this user access and run it again";
    }
    if (failure instanceof NoSuchFileException missing) {
      return missing.getFile()
          + (missing.getReason() == null ? " does not exist" : ": " + missing.getReason());
    }
    if (failure instanceof NotDirectoryException file) {
      return file.getFile() + " is a file; a directory is wanted here";
    }
    if (failure instanceof FileAlreadyExistsException taken) {
      return taken.getFile()
          + " is there already, and nothing is ever overwritten; move it away or choose another place";
    }
    if (isFileAbove(failure)) {
      return ((FileSystemException) failure).getFile()
          + " cannot be made: a file stands where a directory of its path is needed; choose another"
          + " place";
    }
    if (isNoSpace(failure)) {
      return "no space left on the device"
          + (failure instanceof FileSystemException f && f.getFile() != null
              ? " of " + f.getFile()
              : "")
          + "; free some and run it again, it goes on where it stopped";
    }
    if (failure instanceof FileSystemException readOnly
        && String.valueOf(readOnly.getReason()).contains("Read-only file system")) {
      return readOnly.getFile()
          + " is on a file system that is mounted read-only; mount it writable, or choose another"
          + " place, and run it again";
    }
    if (failure instanceof IOException && failure.getMessage() != null) {
      return failure.getMessage();
    }
    return "unexpected " + failure + "; run it with --debug to see where";
  }

  /** What a store says of a refusal, in parentheses; empty where it says nothing. */
  static String reason(AccessDeniedException denied) {
    return denied.getReason() == null || denied.getReason().isEmpty()
        ? ""
        : " (" + denied.getReason() + ")";
  }

  static int exitCode(Throwable failure) {
    if (failure instanceof NoSuchFileException
        || failure instanceof NotDirectoryException
        || failure instanceof UnservedPlaceException
        || isDirectory(failure)
        || isFileAbove(failure)) {
      return ExitCode.USAGE;
    }
    if (failure instanceof LockedException) {
      return ExitCode.REFUSED;
    }
    return failure instanceof IOException ? ExitCode.STOPPED : ExitCode.UNEXPECTED;
  }

  private static boolean isDirectory(Throwable failure) {
    return failure instanceof FileSystemException named
        && String.valueOf(named.getReason()).contains("is a directory");
  }

  private static boolean isFileAbove(Throwable failure) {
    return failure instanceof FileSystemException named
        && String.valueOf(named.getReason()).contains("Not a directory");
  }

  private static boolean isNoSpace(Throwable failure) {
    String message = String.valueOf(failure.getMessage());
    return failure instanceof IOException
        && (message.contains("No space left on device") || message.contains("Disk quota exceeded"));
  }
}
