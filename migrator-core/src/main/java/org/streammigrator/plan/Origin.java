package org.streammigrator.plan;

/**
 * Where a value stands.
 *
 * @param path the key it stands under
 * @param line from 1
 * @param column from 1
 */
record Origin(String path, int line, int column) {

  Origin key(String key) {
    if (path.isEmpty()) {
      return new Origin(key, line, column);
    }
    boolean simple = key.matches("[\\w-]+");
    return new Origin(simple ? path + "." + key : path + "[\"" + key + "\"]", line, column);
  }

  Origin index(int index) {
    return new Origin(path + "[" + index + "]", line, column);
  }

  Origin withPath(Origin other) {
    return new Origin(other.path, line, column);
  }
}
