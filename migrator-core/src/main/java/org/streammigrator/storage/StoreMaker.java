package org.streammigrator.storage;

import java.io.IOException;
import java.util.Map;

/** Makes the store of a scheme that a package above this one serves. */
public interface StoreMaker {
  /**
   * What tells apart the stores that serve locations of one authority with the same settings; asked
   * before every call.
   */
  default String storeOf(Location location) {
    return "";
  }

  /**
   * The store that serves a location, and all that have the same authority, settings and {@link
   * #storeOf}.
   *
   * @param settings those that hold for the location; values may be secrets
   * @throws UnservedPlaceException if the location is not served
   * @throws IOException if the settings cannot be used
   */
  Store make(Location location, Map<String, String> settings) throws IOException;
}
