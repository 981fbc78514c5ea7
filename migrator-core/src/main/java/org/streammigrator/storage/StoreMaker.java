package org.streammigrator.storage;

import java.io.IOException;
import java.util.Map;

/** Makes the store of a scheme that a package above this one serves. */
public interface StoreMaker {
  /**
   * The store that serves a location and what shares its authority and its settings.
   *
   * @param settings those that hold for the location; values may be secrets
   * @throws UnservedPlaceException if the location is not served
   * @throws IOException if the settings cannot be used
   */
  Store make(Location location, Map<String, String> settings) throws IOException;
}
