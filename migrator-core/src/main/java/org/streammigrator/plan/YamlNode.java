package org.streammigrator.plan;

/** A value of a YAML document, with the place it stands at. Immutable. */
sealed interface YamlNode permits YamlMap, YamlList, YamlScalar {
  Origin origin();

  /** What this is, for messages: {@code a map}, {@code the number 4}. */
  String describe();
}
