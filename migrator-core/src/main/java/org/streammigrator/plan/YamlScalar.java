package org.streammigrator.plan;

/**
 * A single value of a YAML document.
 *
 * @param text the text, interpolated
 * @param shown the text as it may be shown: references to the environment stand for their values
 * @param kind what the YAML 1.2 core schema takes it for
 */
record YamlScalar(Origin origin, String text, String shown, Kind kind) implements YamlNode {

  enum Kind {
    TEXT("text"),
    INTEGER("number"),
    FLOAT("number"),
    BOOLEAN("boolean"),
    NULL("null"),
    /** Text that something was put into: it may be read as any type. */
    INTERPOLATED("text"),
    /** Text with names of a template in it that have no value yet. */
    OPEN("text");

    private final String word;

    Kind(String word) {
      this.word = word;
    }
  }

  boolean isNull() {
    return kind == Kind.NULL;
  }

  boolean isSecret() {
    return !text.equals(shown);
  }

  /** Whether it may be read as the given kind. */
  boolean isA(Kind wanted) {
    return kind == wanted || kind == Kind.INTERPOLATED;
  }

  @Override
  public String describe() {
    if (kind == Kind.NULL) {
      return "nothing";
    }
    String brief = shown.length() <= 40 ? shown : shown.substring(0, 37) + "...";
    return switch (kind) {
      case INTEGER, FLOAT, BOOLEAN -> "the " + kind.word + " " + brief;
      case TEXT, NULL, INTERPOLATED, OPEN -> "'" + brief + "'";
    };
  }
}
