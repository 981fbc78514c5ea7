package org.streammigrator.plan;

/** A template cannot be filled: its pattern matches nothing, or its CSV file is none. */
public final class UnusableTemplateException extends RuntimeException {
  UnusableTemplateException(String message) {
    super(message);
  }
}
