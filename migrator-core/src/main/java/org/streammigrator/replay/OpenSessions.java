package org.streammigrator.replay;

import java.time.Instant;

/**
 * Where the open session windows of the old query begin, which stands in its state alone.
 *
 * @param earliest the earliest start; null if no session is open
 * @param unknown why nobody knows; null: it is known
 */
public record OpenSessions(Instant earliest, String unknown) {
  /** For queries without session windows. */
  public static final OpenSessions NONE = new OpenSessions(null, null);

  /** Nobody knows. */
  public static OpenSessions unknown(String why) {
    return new OpenSessions(null, why);
  }
}
